extension StaticPages {
    /// Adds the addresses of sections to the pages. For example, if `domain.html` contains `<meta name="sections"
    /// content="rules tests">`, it is also served at `/domain/rules` and `/domain/tests`. The page shows the section in
    /// its address.
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
