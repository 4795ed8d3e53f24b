internal import NIOConcurrencyHelpers

/// The credential that a consumer shows to the API, with every request. It can be exchanged while the consumer runs.
public final class ConsumerCredential: Sendable {
    private let text: NIOLockedValueBox<String>

    /// A credential, as the API has given it out.
    public init(_ text: String) { self.text = NIOLockedValueBox(text) }

    /// From now on, another one is shown.
    public func replace(by text: String) { self.text.withLockedValue { $0 = text } }

    /// The value of the field `Authorization`.
    var authorization: String { "Bearer \(text.withLockedValue { $0 })" }
}
