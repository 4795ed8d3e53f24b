/// A URL's parts as texts, in the forms that rules need. Use it to compare the parts separately; ``Decider`` evaluates
/// whole URLs.
final class ComparedURL {
    /// The text of a missing part.
    let empty = ComparedText([])

    private var url = PreparedURL()
    private var known: [Int: ComparedText] = [:]

    init(_ parts: URLParts) { url.load(parts) }

    /// The normalised path. It is decoded and folded if the form requires this.
    func path(_ form: ComparedForm) -> ComparedText { text(url.path(form)) }

    /// The whole query. Empty if the URL has no query.
    func query(_ form: ComparedForm) -> ComparedText { text(url.query(form)) }

    /// The fragment. Empty if the URL has no fragment.
    func fragment(_ form: ComparedForm) -> ComparedText { text(url.fragment(form)) }

    /// The values of all query items with a name, in order.
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
