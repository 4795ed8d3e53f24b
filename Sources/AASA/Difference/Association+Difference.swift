extension Association {
    /// Compares the content and the link outcomes of this file and another one.
    ///
    /// Rules are compared by their meaning on the newest of the systems. The difference is empty only if the two
    /// associations are equal. If the files are swapped, the result has before and after swapped; only the order of
    /// lists can vary. The same input always gives the same difference.
    ///
    /// - Parameters:
    ///   - after: The other file. It replaces this one.
    ///   - urls: URLs to evaluate: absolute, or starting with `/` on the file's own host.
    ///   - samples: The maximum number of URLs to generate from the patterns of both files. URLs for changed rules come
    ///     first.
    ///   - systems: The versions of iOS for which the URLs are evaluated.
    ///   - steps: The maximum work of evaluating URLs, in steps of one or two nanoseconds. Estimates are usually too
    ///     high.
    /// - Returns: The difference. If a limit was reached, it is incomplete, and ``Difference/isTruncated`` is true.
    public func difference(
        to after: Association, urls: [String] = [], samples: Int = 500, systems: [SystemVersion] = [.latest],
        steps: Int = Difference.usualSteps
    ) -> Difference {
        var comparison = FileComparison(before: self, after: after, systems: systems)
        comparison.compareText()
        comparison.compareOutcomes(given: urls, samples: samples, steps: steps)
        return comparison.difference
    }
}

extension Association {
    /// The default systems for a comparison: the newest, and also iOS 9 to 12 if one of the files provides universal
    /// links on them.
    public func systemsToCompare(with other: Association) -> [SystemVersion] {
        servesOldSystems || other.servesOldSystems ? [.latest, .ios9] : [.latest]
    }
}

extension SystemVersion {
    /// The name in words, such as "iOS 9 to 12".
    public var words: String {
        switch self {
        case .ios9: "iOS 9 to 12"
        case .ios13: "iOS 13.0 to 13.4"
        case .ios13point5: "iOS 13.5 to 13.7"
        case .ios14: "iOS 14 and later"
        }
    }
}
