import Postgres

/// A search for a text in hosts. A host matches if one of its words begins with the text. The text may continue into
/// the next words. A word begins at a letter or digit after any other character, and at a digit after a letter: `42`,
/// `acme.com` and `.com` match `shop42.acme.com`, but `hop` does not.
///
/// Text from the middle of a word does not match, because PostgreSQL cannot use a trigram index here: row level
/// security allows only leakproof operators, and `like` is not leakproof. The words of hosts are rows of
/// `domain_words`, which triggers maintain.
struct HostSearch {
    /// The range of hosts that begin with the text, or `nil` if no host can begin with it.
    let beginning: (start: String, end: String)?
    /// The condition for hosts with a later word that begins with the text. If the text has no letter or digit, the
    /// condition for hosts that contain it.
    let laterWords: ListCondition
    /// The condition for hosts with any word that begins with the text.
    let words: ListCondition

    init(_ text: String, in organization: ID<Organization>) {
        guard let start = firstWords(of: text) else {
            // Hosts have only these characters between words.
            let canMatch = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
            let containing: SQL = """
                from domains
                where organization_id = \(organization.uuid) and \(canMatch) and host like \(containing(text))
                """
            beginning = nil
            laterWords = ListCondition(
                keys: "select host as key \(fragment: containing)", order: "host collate \"C\"",
                test: "select \(fragment: containing) and host = listed.key")
            words = laterWords
            return
        }
        // `{` sorts after every character of a host.
        let end = start + "{"
        let isWhole = start == text
        beginning = isWhole ? (start, end) : nil
        let separated: SQL = isWhole ? "" : "and host like \(containing(text))"
        let later: SQL = """
            from domain_words
            where organization_id = \(organization.uuid) and word >= \(start) and word < \(end) \(fragment: separated)
            """
        laterWords = ListCondition(
            keys: "select host as key \(fragment: later)", order: "word",
            test: "select \(fragment: later) and host = listed.key")
        guard isWhole else {
            words = laterWords
            return
        }
        let first: SQL = """
            from domains
            where organization_id = \(organization.uuid) and host collate "C" >= \(start) and host collate "C" < \(end)
            """
        words = ListCondition(
            keys: "select host as key \(fragment: first) union all select host as key \(fragment: later)", order: nil,
            test: """
                select from (
                  select \(fragment: first) and host = listed.key union all select \(fragment: later) and host = listed.key
                ) as found
                """)
    }
}

/// The text without separators at its beginning, or `nil` if it has only separators.
func firstWords(of text: String) -> String? {
    let words = text.unicodeScalars.drop { $0.isASCII && !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
    return words.isEmpty ? nil : String(words)
}
