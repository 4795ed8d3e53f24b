import StrictJSON

/// Faults that make iOS read the file differently than the author intended. Other findings can be consequences of such
/// a fault, and disappear when it is fixed. So lint offers no fix that removes anything because of a consequence.
struct Causes {
    /// The places of the faults and of all values that contain one.
    private var places: Set<JSONPointer> = []
    /// Members that iOS ignores, with the key that was probably intended.
    private var unread: [JSONPointer: String] = [:]

    /// Whether the file has none of these faults.
    var isEmpty: Bool { places.isEmpty }

    /// Records the finding's place if the finding is one of these faults.
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

    /// The member that iOS ignores in an object, and whose name was probably meant as one of `keys`. `nil` if there is
    /// none.
    func unreadMember(of object: JSONObject, at pointer: JSONPointer, meaning keys: [String]) -> JSONPointer? {
        guard lie(in: pointer) else { return nil }
        return object.names.lazy.map(pointer.appending).first { unread[$0].map(keys.contains) ?? false }
    }
}

extension Linter {
    /// Adds a finding that is a consequence of an ignored member, after the finding that explains the cause. The
    /// finding is at the member's value if its name is right, otherwise at its name.
    func add(_ problem: FindingKind, behind member: JSONPointer, meaning keys: [String]) {
        if let name = member.tokens.last, keys.contains(name) {
            add(problem, member)
        } else {
            add(problem, key: member)
        }
    }
}
