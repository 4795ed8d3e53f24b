import Postgres

/// Text that is searched for in hosts. A host matches if one of its words begins with the text, which may run over several
/// words. A word begins at a letter or digit after anything else, and at a digit after a letter: `42`, `acme.com` and
/// `.com` match `shop42.acme.com`, and `hop` does not. Separators at the beginning of the text have to be in the host too.
///
/// Text from the middle of a word does not match because row level security keeps PostgreSQL from using a trigram index:
/// `like` is not leakproof. The words of hosts are rows of `domain_words`, which triggers keep.
struct HostSearch {
    /// Hosts that begin with the text.
    let beginnings: HostCondition
    /// Hosts of which a word after the first begins with it.
    let laterWords: HostCondition
    /// Both.
    let both: HostCondition

    /// `nil` for text of separators alone, which matches every host.
    init?(_ text: String, in organization: ID<Organization>) {
        let words = text.unicodeScalars.drop { $0.isASCII && !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
        guard !words.isEmpty else { return nil }
        let start = String(words)
        // `{` comes after every character of a host.
        let end = start + "{"
        let isWhole = words.startIndex == text.unicodeScalars.startIndex
        beginnings = HostCondition(
            hosts: """
                select host from domains
                where organization_id = \(organization.uuid) and \(isWhole)
                  and host collate "C" >= \(start) and host collate "C" < \(end)
                """,
            test: """
                select where \(isWhole) and listed.host collate "C" >= \(start) and listed.host collate "C" < \(end)
                """)
        let later: SQL = """
            from domain_words
            where organization_id = \(organization.uuid) and word >= \(start) and word < \(end)
              and (\(isWhole) or host like \(containing(text)))
            """
        laterWords = HostCondition(
            hosts: "select host \(fragment: later)", test: "select \(fragment: later) and host = listed.host")
        both = HostCondition(
            hosts: "\(fragment: laterWords.hosts) union all \(fragment: beginnings.hosts)",
            test: "\(fragment: beginnings.test) union all \(fragment: laterWords.test)")
    }
}
