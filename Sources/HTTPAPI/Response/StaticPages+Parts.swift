extension StaticPages {
    /// The error if a page includes a part that does not exist.
    struct MissingPart: Error, CustomStringConvertible {
        let page: String
        let part: String
        var description: String { "the dashboard's page \(page) includes \(part), which does not exist" }
    }

    /// Returns the pages with their parts included. A part in `parts/` contains markup that several pages share, such
    /// as the head and the navigation. A page includes it with a line `<!-- include parts/NAME.html -->`. Parts cannot
    /// include other parts, and are not served. In the navigation, the link whose `data-page` names the page is marked
    /// as current.
    ///
    /// - Throws: `MissingPart`.
    static func assembled(_ files: [String: Page]) throws -> [String: Page] {
        var pages = files.filter { !$0.key.hasPrefix("/parts/") }
        for (path, page) in pages where path.hasSuffix(".html") {
            let name = path.dropFirst().dropLast(".html".count)
            let text = try String(decoding: page.bytes, as: UTF8.self)
                .replacing(#/ *<!-- include (parts/[a-z/-]+\.html) -->\n/#) { include in
                    guard let part = files["/\(include.1)"] else {
                        throw MissingPart(page: path, part: String(include.1))
                    }
                    return String(decoding: part.bytes, as: UTF8.self)
                }
                .replacing("data-page=\"\(name)\"", with: "aria-current=\"page\"")
            pages[path] = Page(bytes: Array(text.utf8), type: page.type)
        }
        return pages
    }
}
