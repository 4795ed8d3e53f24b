/// A URL's parts as texts, in the forms that rules need. It is for code that compares the parts one at a time; ``Decider``
/// makes whole decisions.
final class ComparedURL {
    /// The text of a missing part.
    let empty = ComparedText([])

    private var url = PreparedURL()
    private var known: [Int: ComparedText] = [:]

    init(_ parts: URLParts) { url.load(parts) }

    /// The path: decoded if the form requires it, normalised, folded if the form requires it.
    func path(_ form: ComparedForm) -> ComparedText { text(url.path(form)) }

    /// The whole query; empty if there is none.
    func query(_ form: ComparedForm) -> ComparedText { text(url.query(form)) }

    /// The fragment; empty if there is none.
    func fragment(_ form: ComparedForm) -> ComparedText { text(url.fragment(form)) }

    /// The values of the query items with a name, in order.
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
