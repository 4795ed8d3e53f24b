/// A URL's parts in the forms that rules ask for, as texts. For those who look at the parts one by one; whole decisions
/// are made by a ``Decider``.
final class ComparedURL {
    /// What an absent part is compared as.
    let empty = ComparedText([])

    private var url = PreparedURL()
    private var known: [Int: ComparedText] = [:]

    init(_ parts: URLParts) { url.load(parts) }

    /// The path, decoded if the form says so, normalised, folded if the form says so.
    func path(_ form: ComparedForm) -> ComparedText { text(url.path(form)) }

    /// The whole query; empty without one.
    func query(_ form: ComparedForm) -> ComparedText { text(url.query(form)) }

    /// The fragment; empty without one.
    func fragment(_ form: ComparedForm) -> ComparedText { text(url.fragment(form)) }

    /// The values of the query items of a name, in order.
    func values(of name: [UInt8], _ form: ComparedForm) -> [ComparedText] {
        url.items(form).map { url.item($0) }
            .filter { bytes($0.name) == name }
            .map { text($0.value) }
    }

    private func text(_ part: URLSplit.Part) -> ComparedText {
        if part.count == 0 { return empty }
        let key = part.offset << 32 | part.count
        if let text = known[key] { return text }
        let text = ComparedText(bytes(part))
        known[key] = text
        return text
    }

    private func bytes(_ part: URLSplit.Part) -> [UInt8] {
        let view = url.view(part)
        return Array(UnsafeBufferPointer(start: view.start, count: view.count))
    }
}
