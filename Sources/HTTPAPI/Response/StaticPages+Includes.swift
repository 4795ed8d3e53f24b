extension StaticPages {
    /// The error if a page names an include that does not exist.
    struct MissingInclude: Error, CustomStringConvertible {
        let page: String
        let include: String
        var description: String { "the dashboard's page \(page) includes \(include), which does not exist" }
    }

    /// Returns the pages with their includes filled in. A file in `includes/` contains markup that several pages share,
    /// such as the head and the navigation. A page includes it with a line `<!-- include includes/NAME.html -->`.
    /// Includes cannot include others, and are not served. In the navigation, the link whose `data-page` names the page
    /// is marked as current.
    ///
    /// - Throws: `MissingInclude`.
    static func assembled(_ files: [String: Page]) throws -> [String: Page] {
        var pages = files.filter { !$0.key.hasPrefix("/includes/") }
        for (path, page) in pages where path.hasSuffix(".html") {
            let name = path.dropFirst().dropLast(".html".count)
            let text = try String(decoding: page.bytes, as: UTF8.self)
                .replacing(#/ *<!-- include (includes/[a-z/-]+\.html) -->\n/#) { line in
                    guard let include = files["/\(line.1)"] else {
                        throw MissingInclude(page: path, include: String(line.1))
                    }
                    return String(decoding: include.bytes, as: UTF8.self)
                }
                .replacing("data-page=\"\(name)\"", with: "aria-current=\"page\"")
            pages[path] = Page(bytes: Array(text.utf8), type: page.type)
        }
        return pages
    }
}
