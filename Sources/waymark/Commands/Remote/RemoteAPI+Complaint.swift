import StrictJSON

extension RemoteAPI.Answer {
    /// What commands call a member of what they send.
    private static let names = [
        "at": "--at", "catchUpSeconds": "--catch-up", "count": "--count", "effectiveBy": "--effective-by",
        "endsAt": "--until", "expression": "the cron expression", "graceSeconds": "--grace", "host": "the domain",
        "hosts": "the domains", "label": "--label", "message": "--message", "name": "the name", "reason": "--reason",
        "revertAt": "--revert-at", "version": "--version", "with": "the app that comes", "zone": "--zone",
    ]

    /// For people at a command line: what is wrong in a sentence, or in a line for each fault where there are several.
    /// A fault of what was sent is told of the option that it came from.
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

    /// `/effectiveBy` is `--effective-by`; nil for all that was sent. What has no name here is called by the API's.
    private static func name(of pointer: String) -> String? {
        guard let member = pointer.split(separator: "/").first.map(String.init) else { return nil }
        return names[member] ?? member
    }
}
