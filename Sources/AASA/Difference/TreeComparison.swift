import StrictJSON

/// Finds where two JSON values differ.
enum TreeComparison {
    /// The places of the differences, as deep as objects lead; an array is a place as a whole. The parser bounds the
    /// depth. Pointers begin with the places of the values themselves.
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

    /// The names in either object: those after in their order, then those that are gone.
    static func names(_ before: JSONObject, _ after: JSONObject) -> [String] {
        after.names + before.names.filter { after.place(of: $0) == nil }
    }
}
