import Postgres

extension TenantTransaction {
    /// The condition for apps with a word in the app ID or name that begins with a text, ignoring case. The text may
    /// continue into the next words: `shop`, `42` and `.acme` match `ABCDE12345.com.acme.myShop42`.
    ///
    /// Words begin as in a host (``HostSearch``). In addition, a word begins at a capital letter after a small one, and
    /// at every character that is not ASCII. The words are rows of `app_words`, which triggers maintain. Text without a
    /// letter or digit matches anywhere.
    func appCondition(of text: String) -> ListCondition {
        let pattern = containing(text)
        guard let start = firstWords(of: text) else {
            let containing: SQL = """
                from apps
                where organization_id = \(organization.uuid) and (app_id ilike \(pattern) or name ilike \(pattern))
                """
            return ListCondition(
                keys: "select app_id as key \(fragment: containing)", order: "app_id collate \"C\"",
                test: "select \(fragment: containing) and app_id = listed.key")
        }
        // The rows do not contain the separators before their word.
        let separated: SQL = """
            and exists (
              select from apps
              where apps.organization_id = app_words.organization_id and apps.app_id = app_words.app_id
                and (apps.app_id ilike \(pattern) or apps.name ilike \(pattern)))
            """
        let matching: SQL = """
            from app_words
            where app_words.organization_id = \(organization.uuid)
              and app_words.word >= lower(\(start)) and app_words.word < lower(\(start)) || chr(1114111)
              \(fragment: start == text ? "" : separated)
            """
        return ListCondition(
            keys: "select app_words.app_id as key \(fragment: matching)", order: "app_words.word",
            test: "select \(fragment: matching) and app_words.app_id = listed.key")
    }
}
