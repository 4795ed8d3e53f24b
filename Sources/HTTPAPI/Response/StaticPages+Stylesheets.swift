extension StaticPages {
    /// The error if a page links to a stylesheet that does not exist.
    struct MissingStylesheet: Error, CustomStringConvertible {
        let page: String
        let stylesheet: String
        var description: String { "the dashboard's page \(page) links to \(stylesheet), which does not exist" }
    }

    /// Joins the stylesheets of each page into one, in the order of the links. It is added as `styles/NAME.css` for
    /// each page with stylesheets. The original stylesheets are kept.
    ///
    /// - Throws: `MissingStylesheet`.
    static func withOneStylesheet(_ files: [String: Page]) throws -> [String: Page] {
        var pages = files
        for (path, page) in files where path.hasSuffix(".html") {
            let text = String(decoding: page.bytes, as: UTF8.self)
            let links = text.matches(of: #/ *<link rel="stylesheet" href="(/styles/[^"]+)">\n/#)
            guard let first = links.first else { continue }
            let combined = try links.flatMap { link in
                guard let sheet = files[String(link.1)] else {
                    throw MissingStylesheet(page: path, stylesheet: String(link.1))
                }
                return sheet.bytes + [UInt8(ascii: "\n")]
            }
            let address = "/styles\(path.dropLast(".html".count)).css"
            pages[address] = Page(bytes: combined, type: "text/css; charset=utf-8")
            var result = text
            for link in links.dropFirst().reversed() { result.removeSubrange(link.range) }
            result.replaceSubrange(first.1.startIndex..<first.1.endIndex, with: address)
            pages[path] = Page(bytes: Array(result.utf8), type: page.type)
        }
        return pages
    }
}
