import StrictJSON

extension DraftImporter {
    /// Reads `defaults` as fields. They take precedence over the defaults in `above`.
    mutating func defaults(_ value: JSONValue, _ pointer: JSONPointer, above: [JSONObject]) -> RuleFields {
        guard let object = value.object, !object.isEmpty else {
            note(.dropped, pointer, value.object == nil ? "not an object, so iOS ignores it" : "it is empty")
            return RuleFields()
        }
        return fields(.object(object), pointer, above: above)
    }

    /// Reads a component as fields that have the same meaning under the defaults in `above`.
    mutating func fields(_ value: JSONValue, _ pointer: JSONPointer, above: [JSONObject]) -> RuleFields {
        guard let component = value.object else {
            note(.changed, pointer, "not an object, so it matches every URL; now an empty rule")
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

    /// Reads a pattern. A value that is not a string "constrains nothing" [REP]; if it hides a default, it becomes `*`.
    private mutating func text(_ value: JSONValue, _ pointer: JSONPointer, _ isShadowing: Bool) -> String? {
        if let text = value.string { return text }
        noteUnconstrained(pointer, isShadowing)
        return isShadowing ? "*" : nil
    }

    /// Reads a query. An object with a value that is not a string "is ignored as a whole" [OBS], as is any other type
    /// [REP].
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
                ? "of the wrong type, so iOS ignores it; now \"*\", which hides the default in the same way"
                : "of the wrong type, so iOS ignores it")
    }

    private mutating func flag(_ value: JSONValue, _ pointer: JSONPointer) -> Bool {
        if let bool = value.bool { return bool }
        let meaning = LenientFlag.value(of: value) ?? false
        note(.changed, pointer, "of the wrong type; iOS is reported to read it as \(meaning)")
        return meaning
    }

    private mutating func comment(_ value: JSONValue, _ pointer: JSONPointer) -> String? {
        guard let text = value.string else {
            note(.dropped, pointer, "not a string, so iOS ignores it")
            return nil
        }
        note(.kept, pointer, "stays in the draft; published only if the draft publishes comments")
        return text
    }
}
