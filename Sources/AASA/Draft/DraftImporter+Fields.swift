import StrictJSON

extension DraftImporter {
    /// `defaults` as fields. `above` are the defaults that these stand in front of.
    mutating func defaults(_ value: JSONValue, _ pointer: JSONPointer, above: [JSONObject]) -> RuleFields {
        guard let object = value.object, !object.isEmpty else {
            note(.dropped, pointer, value.object == nil ? "no object, so it is ignored" : "there is nothing in it")
            return RuleFields()
        }
        return fields(.object(object), pointer, above: above)
    }

    /// A component as fields that mean the same under the defaults `above`.
    mutating func fields(_ value: JSONValue, _ pointer: JSONPointer, above: [JSONObject]) -> RuleFields {
        guard let component = value.object else {
            note(.changed, pointer, "no object: it matches every URL, as an empty rule does")
            return RuleFields()
        }
        var fields = RuleFields()
        for member in component.members {
            let place = pointer.appending(member.name)
            let isShadowing = above.contains { $0[member.name] != nil }
            switch ComponentKey(rawValue: member.name) {
            case .path: fields.path = text(member.value, place, isShadowing)
            case .fragment: fields.fragment = text(member.value, place, isShadowing)
            case .query: fields.query = query(member.value, place, isShadowing)
            case .exclude: fields.exclude = flag(member.value, place)
            case .caseSensitive: fields.caseSensitive = flag(member.value, place)
            case .percentEncoded: fields.percentEncoded = flag(member.value, place)
            case .comment: fields.comment = comment(member.value, place)
            case nil: keep(member, place, in: &fields.extras)
            }
        }
        return fields
    }

    /// A pattern. What is no string "constrains nothing" [REP]; where it hides a default, that takes a `*`.
    private mutating func text(_ value: JSONValue, _ pointer: JSONPointer, _ isShadowing: Bool) -> String? {
        if let text = value.string { return text }
        noteUnconstrained(pointer, isShadowing)
        return isShadowing ? "*" : nil
    }

    /// A query. An object with anything but strings "is ignored as a whole" [OBS], any other type too [REP].
    private mutating func query(
        _ value: JSONValue, _ pointer: JSONPointer, _ isShadowing: Bool
    ) -> RuleFields.Query? {
        switch value {
        case .string(let text): return .whole(text)
        case .object(let object):
            let items = object.members.compactMap { member in
                member.value.string.map { (name: member.name, pattern: $0) }
            }
            if items.count == object.count { return .items(items) }
        default: break
        }
        noteUnconstrained(pointer, isShadowing)
        return isShadowing ? .whole("*") : nil
    }

    private mutating func noteUnconstrained(_ pointer: JSONPointer, _ isShadowing: Bool) {
        note(
            isShadowing ? .changed : .dropped, pointer,
            isShadowing
                ? "of the wrong type, so it constrains nothing: \"*\" says the same and hides the default too"
                : "of the wrong type, so it constrains nothing")
    }

    private mutating func flag(_ value: JSONValue, _ pointer: JSONPointer) -> Bool {
        if let bool = value.bool { return bool }
        let meaning = LenientFlag.value(of: value) ?? false
        note(.changed, pointer, "of the wrong type; Apple's systems are reported to read \(meaning)")
        return meaning
    }

    private mutating func comment(_ value: JSONValue, _ pointer: JSONPointer) -> String? {
        guard let text = value.string else {
            note(.dropped, pointer, "no string, so it is ignored")
            return nil
        }
        note(.kept, pointer, "kept in the draft; in the file only if the draft publishes comments")
        return text
    }
}
