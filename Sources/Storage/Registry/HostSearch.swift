import Postgres

/// Text that is searched for in hosts. A host matches if one of its words begins with the text, which may continue into
/// the next words. A word begins at a letter or digit after any other character, and at a digit after a letter: `42`,
/// `acme.com` and `.com` match `shop42.acme.com`, and `hop` does not.
///
/// Text from the middle of a word does not match, because row level security keeps PostgreSQL from using a trigram
/// index: `like` is not leakproof. The words of hosts are rows of `domain_words`, which triggers maintain.
struct HostSearch {
    /// The range of hosts that begin with the text; `nil` if no host can.
    let beginning: (start: String, end: String)?
    /// Hosts with a later word that begins with the text. If the text has no letter or digit: hosts that contain it.
    let laterWords: ListCondition
    /// Hosts with any such word.
    let words: ListCondition

    init(_ text: String, in organization: ID<Organization>) {
        guard let start = firstWords(of: text) else {
            // Hosts have no other characters between words.
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

/// The text without the separators at its beginning; `nil` if nothing is left.
func firstWords(of text: String) -> String? {
    let words = text.unicodeScalars.drop { $0.isASCII && !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
    return words.isEmpty ? nil : String(words)
}
