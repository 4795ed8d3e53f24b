extension StaticPages {
    /// The error if a page or script names an operation that does not exist.
    struct UnknownOperation: Error, CustomStringConvertible {
        let page: String
        let operation: String
        var description: String {
            "the dashboard's file \(page) names the operation \(operation), which does not exist"
        }
    }

    /// Returns the pages with roles instead of operations. A control names the operation that it needs, such as
    /// `data-needs="createRule"`; a text for those who lack the right has `data-lacks`. The style sheets show or hide both
    /// by the user's role. A script asks `session.can("createRule")`. So the roles are only in the table of the routes, with
    /// which the contract is compared.
    ///
    /// - Throws: `UnknownOperation`.
    static func withRoles(_ pages: [String: Page], _ rights: [String: String]) throws -> [String: Page] {
        try pages.reduce(into: pages) { result, item in
            func role(_ operation: Substring) throws -> String {
                guard let role = rights[String(operation)] else {
                    throw UnknownOperation(page: item.key, operation: String(operation))
                }
                return role
            }
            let text = String(decoding: item.value.bytes, as: UTF8.self)
            let changed: String
            if item.key.hasSuffix(".html") {
                changed = try text.replacing(#/data-(needs|lacks)="?([A-Za-z]+)"?/#) {
                    "data-\($0.1)=\(try role($0.2))"
                }
            } else if item.key.hasSuffix(".js") {
                changed = try text.replacing(#/\.can\("([A-Za-z]+)"\)/#) { ".can(\"\(try role($0.1))\")" }
            } else {
                return
            }
            result[item.key] = Page(bytes: Array(changed.utf8), type: item.value.type)
        }
    }
}
