import Postgres

/// Text that is searched for in app IDs and names, whatever its case. An app matches if a word of either begins with the
/// text, which may run over several words: `shop`, `42` and `.acme` match `ABCDE12345.com.acme.myShop42`. Words begin as in
/// a host (``HostSearch``), and also at a capital letter after a small one and at every character that is not ASCII. They
/// are rows of `app_words`, which triggers keep.
struct AppSearch {
    /// The most apps that are collected for a page.
    static let mostCollected = 2_000

    /// Selects `app_id` of those that match, some perhaps more than once.
    let apps: SQL
    /// Selects a row if `listed` matches.
    let test: SQL

    init(_ text: String, in organization: ID<Organization>) {
        let words = text.unicodeScalars.drop { $0.isASCII && !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
        let pattern = containing(text)
        // Separators alone begin no word: every app is looked at.
        guard !words.isEmpty else {
            apps = """
                select app_id from apps
                where organization_id = \(organization.uuid) and (app_id ilike \(pattern) or name ilike \(pattern))
                """
            test = "select where listed.app_id ilike \(pattern) or listed.name ilike \(pattern)"
            return
        }
        let start = String(words)
        // Separators before the first word are no part of its row.
        let separated: SQL = """
            and exists (
              select from apps
              where apps.organization_id = app_words.organization_id and apps.app_id = app_words.app_id
                and (apps.app_id ilike \(pattern) or apps.name ilike \(pattern)))
            """
        let holding: SQL = """
            from app_words
            where app_words.organization_id = \(organization.uuid)
              and app_words.word >= lower(\(start)) and app_words.word < lower(\(start)) || chr(1114111)
              \(fragment: words.startIndex == text.unicodeScalars.startIndex ? "" : separated)
            """
        apps = "select app_words.app_id \(fragment: holding)"
        test = "select \(fragment: holding) and app_words.app_id = listed.app_id"
    }
}
