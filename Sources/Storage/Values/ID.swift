public import FoundationEssentials

/// The ID of a `Subject`: a random UUID. The compiler rejects an ID of another type of subject.
public struct ID<Subject>: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as PostgreSQL stores it.
    public let uuid: UUID

    /// Creates a random identifier.
    public init() {
        uuid = UUID()
    }

    /// Creates an identifier from its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }

    /// Parses the usual 36 characters. Returns `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    /// The UUID in lower case, as in URLs and responses.
    public var description: String { uuid.uuidString.lowercased() }
}
