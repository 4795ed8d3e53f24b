import StrictJSON

/// A URL generated from the patterns of a file. It shows their effect.
struct SampleURL: Hashable, Sendable {
    /// The purpose of a URL.
    enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// The rule decides the URL; the matcher has confirmed this.
        case match
        /// The URL is generated from the rule's patterns, but another rule or no rule decides it. The rule is
        /// unreachable or never matches.
        case overlap
        /// The URL should match two rules.
        case crossing
        /// The URL almost matches the rule.
        case nearMiss = "near_miss"
        /// The URL looks the same to people, but differs in letter case or percent-encoding.
        case spelling
        /// Any URL of the site.
        case anywhere
    }

    /// The URL, at most ``maximumLength`` bytes of ASCII. It starts with a slash and is on the file's own host.
    let url: String
    /// The purpose of the URL.
    let purpose: Purpose
    /// The rule that the URL was generated for, or `nil` for ``Purpose/anywhere``.
    let rule: JSONPointer?

    /// The maximum length of a URL in bytes. Longer URLs are not generated.
    static let maximumLength = 2_048
}
