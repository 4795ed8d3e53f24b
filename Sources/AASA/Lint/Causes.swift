import StrictJSON

/// Faults that make iOS read something else than the author meant. Other findings can be consequences of them and go
/// away when the fault is fixed, so no fix may remove anything because of such a finding.
struct Causes {
    /// The places of the faults and of every value that contains one.
    private var places: Set<JSONPointer> = []
    /// The members that iOS does not read, with the key that each was meant to be.
    private var unread: [JSONPointer: String] = [:]

    /// Whether no such fault has been found.
    var isEmpty: Bool { places.isEmpty }

    /// Records a finding if it is such a fault.
    mutating func note(_ problem: FindingKind, _ pointer: JSONPointer) {
        switch problem {
        case .misspelledKey(_, let meant), .misspelledSection(_, let meant, _): unread[pointer] = meant
        case .ruleWithoutPattern: break
        case .wrongType: unread[pointer] = pointer.tokens.last
        case .misplacedKey(let name, _, _, _): unread[pointer] = ["/", "?", "#"].contains(name) ? "components" : name
        case .undefinedVariable, .unterminatedVariable, .foreignSyntax: break
        default: return
        }
        var place: JSONPointer? = pointer
        while let holder = place, places.insert(holder).inserted { place = holder.parent }
    }

    /// Whether there is a fault at a place or below it.
    func lie(in pointer: JSONPointer) -> Bool { places.contains(pointer) }

    /// The member of an object that was meant to be one of some keys, but that iOS does not read as one.
    func unreadMember(of object: JSONObject, at pointer: JSONPointer, meaning keys: [String]) -> JSONPointer? {
        guard lie(in: pointer) else { return nil }
        return object.names.lazy.map(pointer.appending).first { unread[$0].map(keys.contains) ?? false }
    }
}

extension Linter {
    /// Adds a consequence of a member that iOS does not read, after the finding that says why: at its value if its name
    /// is right, otherwise at its name.
    func add(_ problem: FindingKind, behind member: JSONPointer, meaning keys: [String]) {
        if let name = member.tokens.last, keys.contains(name) {
            add(problem, member)
        } else {
            add(problem, key: member)
        }
    }
}
