import StrictJSON

/// The faults because of which Apple's systems read something else than was meant. What follows from one of them is
/// mended by mending that one: nothing may be removed on the strength of it.
struct Causes {
    /// The places of the faults, and of all that holds them.
    private var places: Set<JSONPointer> = []
    /// The places of members that are not read, and the key that each was to be.
    private var unread: [JSONPointer: String] = [:]

    /// Whether nothing of the kind has been found.
    var isEmpty: Bool { places.isEmpty }

    /// Takes note of a finding, if it is of that kind.
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

    /// Whether there is one at a place or below it.
    func lie(in pointer: JSONPointer) -> Bool { places.contains(pointer) }

    /// The member of an object that was to be one of some keys and is not read as such.
    func unreadMember(of object: JSONObject, at pointer: JSONPointer, meaning keys: [String]) -> JSONPointer? {
        guard lie(in: pointer) else { return nil }
        return object.names.lazy.map(pointer.appending).first { unread[$0].map(keys.contains) ?? false }
    }
}

extension Linter {
    /// Adds what follows from a member that is not read, behind the finding that says why it is not: at its value if
    /// its name is right, else at its name.
    func add(_ problem: FindingKind, behind member: JSONPointer, meaning keys: [String]) {
        if let name = member.tokens.last, keys.contains(name) {
            add(problem, member)
        } else {
            add(problem, key: member)
        }
    }
}
