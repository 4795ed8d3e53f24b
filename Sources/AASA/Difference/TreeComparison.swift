import StrictJSON

/// Finds the differences between two JSON values.
enum TreeComparison {
    /// The pointers to the differences between two values. Objects are compared member by member and recursively; the
    /// parser limits the depth. Arrays are compared as a whole. Each pointer begins with the pointer of its value.
    static func changes(
        _ before: JSONValue?, _ after: JSONValue?, from: JSONPointer, to: JSONPointer
    ) -> [Difference.OtherChange] {
        if before == after { return [] }
        guard case .object(let old)? = before, case .object(let new)? = after else {
            return [Difference.OtherChange(from: before == nil ? nil : from, to: after == nil ? nil : to)]
        }
        return names(old, new).flatMap {
            changes(old[$0], new[$0], from: from.appending($0), to: to.appending($0))
        }
    }

    /// The names in the two objects: those of the second object in its order, then the removed names.
    static func names(_ before: JSONObject, _ after: JSONObject) -> [String] {
        after.names + before.names.filter { after.place(of: $0) == nil }
    }
}
