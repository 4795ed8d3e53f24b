import StrictJSON

extension RemoteAPI.Answer {
    /// What commands call a member of what they send, where that is no option of the member's name.
    private static let names = [
        "expression": "the cron expression", "endsAt": "--until", "catchUpSeconds": "--catch-up",
        "graceSeconds": "--grace", "hosts": "the domains", "name": "the name",
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

    /// `/effectiveBy` is `--effective-by`; nil for all that was sent.
    private static func name(of pointer: String) -> String? {
        guard let member = pointer.split(separator: "/").first.map(String.init) else { return nil }
        let words = member.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }
        return names[member] ?? "--" + words.joined()
    }
}
