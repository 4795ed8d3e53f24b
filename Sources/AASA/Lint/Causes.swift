import StrictJSON

/// Faults that make iOS read the file differently than the author intended. Other findings can be consequences of these
/// faults and disappear when they are fixed. So no fix removes anything because of such a finding.
struct Causes {
    /// The places of the faults and of all values that contain one.
    private var places: Set<JSONPointer> = []
    /// Members that iOS ignores, with the key that was probably intended.
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

    /// Whether the value at a place contains a fault.
    func lie(in pointer: JSONPointer) -> Bool { places.contains(pointer) }

    /// A member of an object that iOS ignores, and whose name was probably meant to be one of some keys.
    func unreadMember(of object: JSONObject, at pointer: JSONPointer, meaning keys: [String]) -> JSONPointer? {
        guard lie(in: pointer) else { return nil }
        return object.names.lazy.map(pointer.appending).first { unread[$0].map(keys.contains) ?? false }
    }
}

extension Linter {
    /// Adds a consequence of a member that iOS ignores, after the finding that explains it. The finding is at the
    /// member's value if its name is right, otherwise at its name.
    func add(_ problem: FindingKind, behind member: JSONPointer, meaning keys: [String]) {
        if let name = member.tokens.last, keys.contains(name) {
            add(problem, member)
        } else {
            add(problem, key: member)
        }
    }
}
