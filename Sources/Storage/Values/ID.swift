public import FoundationEssentials

/// The identifier of a `Subject`: a random UUID that cannot be mistaken for another subject's.
public struct ID<Subject>: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as PostgreSQL stores it.
    public let uuid: UUID

    /// A new random identifier.
    public init() {
        uuid = UUID()
    }

    /// The identifier with this UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }

    /// Parses the usual 36 characters; `nil` for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    /// The UUID in lower case, as in URLs and answers.
    public var description: String { uuid.uuidString.lowercased() }
}
