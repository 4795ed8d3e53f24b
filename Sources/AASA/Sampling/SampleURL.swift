import StrictJSON

/// A URL made from the patterns of a file, to show what they do.
struct SampleURL: Hashable, Sendable {
    /// What the URL was made for.
    enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// To be decided by the rule; the matcher has said that it is.
        case match
        /// To match the rule's patterns; another rule decides, or none: the rule is never reached, or cannot match.
        case overlap
        /// To match two rules at once.
        case crossing
        /// To miss the rule narrowly.
        case nearMiss = "near_miss"
        /// To be the same to people, not to a rule that compares letter case or percent-encoding as written.
        case spelling
        /// To be any URL of the site.
        case anywhere
    }

    /// The URL: begins with a slash and stands for a place on the file's own host. At most
    /// ``maximumLength`` bytes of ASCII.
    let url: String
    /// What it was made for.
    let purpose: Purpose
    /// The rule for which it was made; nil for ``Purpose/anywhere``.
    let rule: JSONPointer?

    /// Longer URLs are not made.
    static let maximumLength = 2_048
}
