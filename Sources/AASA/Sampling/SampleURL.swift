import StrictJSON

/// A URL that is generated from the patterns of a file, to show their effect.
struct SampleURL: Hashable, Sendable {
    /// The purpose of a URL.
    enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// The rule decides it; the matcher has confirmed this.
        case match
        /// It is made from the rule's patterns, but another rule or none decides it: the rule is never reached, or it
        /// cannot match.
        case overlap
        /// It is meant to match two rules.
        case crossing
        /// It almost matches the rule.
        case nearMiss = "near_miss"
        /// It looks the same to people, but differs in letter case or percent-encoding.
        case spelling
        /// It is any URL of the site.
        case anywhere
    }

    /// The URL. It starts with a slash and is on the file's own host. At most ``maximumLength`` bytes of ASCII.
    let url: String
    /// The purpose of the URL.
    let purpose: Purpose
    /// The rule that it was made for; nil for ``Purpose/anywhere``.
    let rule: JSONPointer?

    /// The maximum length of a URL in bytes. Longer ones are not generated.
    static let maximumLength = 2_048
}
