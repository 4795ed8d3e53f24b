extension StaticPages {
    /// The error if a control of a page names an operation that does not exist.
    struct UnknownOperation: Error, CustomStringConvertible {
        let page: String
        let operation: String
        var description: String {
            "the dashboard's page \(page) names the operation \(operation), which does not exist"
        }
    }

    /// Returns the pages with roles instead of operations. A control names the operation that it needs, such as
    /// `data-needs="createRule"`; a text for those who lack the right has `data-lacks`. The style sheets show or hide both
    /// by the user's role. So the roles are only in the table of the routes, with which the contract is compared.
    ///
    /// - Throws: `UnknownOperation`.
    static func withRoles(_ pages: [String: Page], _ rights: [String: String]) throws -> [String: Page] {
        try pages.reduce(into: pages) { result, item in
            guard item.key.hasSuffix(".html") else { return }
            let text = try String(decoding: item.value.bytes, as: UTF8.self)
                .replacing(#/data-(needs|lacks)="?([A-Za-z]+)"?/#) { match in
                    guard let role = rights[String(match.2)] else {
                        throw UnknownOperation(page: item.key, operation: String(match.2))
                    }
                    return "data-\(match.1)=\(role)"
                }
            result[item.key] = Page(bytes: Array(text.utf8), type: item.value.type)
        }
    }
}
