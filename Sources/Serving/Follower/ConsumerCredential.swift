internal import NIOConcurrencyHelpers

/// The credential that a consumer sends with every request to the API. It can be exchanged while the consumer runs.
public final class ConsumerCredential: Sendable {
    private let text: NIOLockedValueBox<String>

    /// Creates a credential from the API's text.
    public init(_ text: String) { self.text = NIOLockedValueBox(text) }

    /// Sends another credential from now on.
    public func replace(by text: String) { self.text.withLockedValue { $0 = text } }

    /// The value of the field `Authorization`.
    var authorization: String { "Bearer \(text.withLockedValue { $0 })" }
}
