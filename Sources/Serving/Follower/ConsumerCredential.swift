internal import NIOConcurrencyHelpers

/// The credential that a consumer sends with every request to the API. It can be replaced while the consumer runs.
public final class ConsumerCredential: Sendable {
    private let text: NIOLockedValueBox<String>

    /// Creates a credential from the text that the API issued.
    public init(_ text: String) { self.text = NIOLockedValueBox(text) }

    /// Replaces the credential. Later requests use the new one.
    public func replace(by text: String) { self.text.withLockedValue { $0 = text } }

    /// The value of the `Authorization` header.
    var authorization: String { "Bearer \(text.withLockedValue { $0 })" }
}
