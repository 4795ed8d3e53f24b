public import StrictJSON

/// A URL made from the patterns of a file, to show what they do.
public struct SampleURL: Hashable, Sendable {
    /// What the URL was made for.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
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
    public let url: String
    /// What it was made for.
    public let purpose: Purpose
    /// The rule for which it was made; nil for ``Purpose/anywhere``.
    public let rule: JSONPointer?

    /// Longer URLs are not made.
    public static let maximumLength = 2_048
}

extension Association {
    /// URLs that the file's rules tell apart: for each rule one that it decides, if there is one to be found, URLs that
    /// match two rules, near misses, and other spellings. Deterministic; rules early in the file come first.
    ///
    /// - Parameters:
    ///   - limit: How many URLs to make at most.
    ///   - system: The system that reads the file.
    public func sampleURLs(limit: Int = 500, os system: SystemVersion = .latest) -> [SampleURL] {
        var collection = SampleCollection(limit: limit)
        var allowance = EvaluationAllowance(steps: Difference.usualSteps)
        let sampler = FileSampler(self, entries: placedEntries(os: system), os: system)
        collection.addAnywhere()
        collection.add([(sampler, Array(sampler.rules.indices))], &allowance)
        return collection.samples
    }
}
