import StrictJSON

extension RemoteAPI.Answer {
    /// The option for each member of a request.
    private static let names = [
        "at": "--at", "catchUpSeconds": "--catch-up", "count": "--count", "effectiveBy": "--effective-by",
        "endsAt": "--until", "expression": "the cron expression", "graceSeconds": "--grace", "host": "the domain",
        "hosts": "the domains", "label": "--label", "message": "--message", "name": "the name", "reason": "--reason",
        "revertAt": "--revert-at", "version": "--version", "with": "the new app", "zone": "--zone",
    ]

    /// The problem for people at a command line: a sentence, or a line for each fault if there are several. A fault of a
    /// member is reported with its option.
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

    /// `--effective-by` for `/effectiveBy`; nil for the whole body. Members without an option keep the API's name.
    private static func name(of pointer: String) -> String? {
        guard let member = pointer.split(separator: "/").first.map(String.init) else { return nil }
        return names[member] ?? member
    }
}
