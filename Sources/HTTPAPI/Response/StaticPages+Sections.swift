extension StaticPages {
    /// The pages, each also at the addresses of its sections. A page with
    /// `<meta name="sections" content="rules tests">` in `domain.html` is also served at `/domain/rules` and
    /// `/domain/tests`, and shows the section that its address names.
    static func withSectionAddresses(_ pages: [String: Page]) -> [String: Page] {
        pages.reduce(into: pages) { result, item in
            guard item.key.hasSuffix(".html") else { return }
            let text = String(decoding: item.value.bytes, as: UTF8.self)
            guard let sections = text.firstMatch(of: #/<meta name="sections" content="([a-z -]+)">/#) else { return }
            for section in sections.1.split(separator: " ") {
                result["\(item.key.dropLast(".html".count))/\(section).html"] = item.value
            }
        }
    }
}
