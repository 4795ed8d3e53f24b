import StrictJSON

extension RemoteAPI.Answer {
    /// The option for each member of a request.
    private static let names = [
        "at": "--at", "catchUpSeconds": "--catch-up", "count": "--count", "effectiveBy": "--effective-by",
        "endsAt": "--until", "expression": "the cron expression", "graceSeconds": "--grace", "host": "the domain",
        "hosts": "the domains", "label": "--label", "message": "--message", "name": "the name", "reason": "--reason",
        "revertAt": "--revert-at", "version": "--version", "with": "the new app", "zone": "--zone",
    ]

    /// The problem as text for the command line: a sentence, or one line per fault if there are several. A fault in a
    /// member is reported with the name of its option.
    var complaint: String {
        let faults = (code == "invalid" ? body["errors"]?.array ?? [] : []).map { fault in
            let place = Self.name(of: fault["pointer"]?.string ?? "").map { "\($0): " } ?? ""
            return place + (fault["detail"]?.string ?? "")
        }
        switch faults.count {
        case 0: return "waymark: \(detail)"
        case 1: return "waymark: \(faults[0])"
        default: return (["waymark: \(detail)"] + faults.map { "  " + $0 }).joined(separator: "\n")
        }
    }

    /// Converts a pointer into the name of an option, such as `/effectiveBy` into `--effective-by`. Returns `nil` for
    /// the whole body. A member without an option keeps the API's name.
    private static func name(of pointer: String) -> String? {
        guard let member = pointer.split(separator: "/").first.map(String.init) else { return nil }
        return names[member] ?? member
    }
}
