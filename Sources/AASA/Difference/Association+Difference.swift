extension Association {
    /// Compares this file with another one: their content, and which URLs they open.
    ///
    /// Rules are compared by their meaning on the newest of the systems. The difference is empty exactly when the two
    /// associations are equal. Exchanging the files exchanges before and after in the difference; only the order of
    /// lists can vary. The same input always gives the same difference.
    ///
    /// - Parameters:
    ///   - after: The other file, which replaces this one.
    ///   - urls: URLs to try: absolute, or starting with `/` on the file's own host.
    ///   - samples: The maximum number of URLs to generate from the patterns of both files. Changed rules come first.
    ///   - systems: The versions of iOS to evaluate the URLs for.
    ///   - steps: The maximum work of evaluating URLs, in steps of one or two nanoseconds. Estimates err on the high side.
    /// - Returns: The difference. Beyond a limit it is incomplete, and ``Difference/isTruncated`` is true.
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
    /// The systems that a comparison evaluates URLs for by default: the newest, and iOS 9 to 12 if one of the files
    /// gives universal links to an app there.
    public func systemsToCompare(with other: Association) -> [SystemVersion] {
        servesOldSystems || other.servesOldSystems ? [.latest, .ios9] : [.latest]
    }
}

extension SystemVersion {
    /// The name for people: "iOS 9 to 12".
    public var words: String {
        switch self {
        case .ios9: "iOS 9 to 12"
        case .ios13: "iOS 13.0 to 13.4"
        case .ios13point5: "iOS 13.5 to 13.7"
        case .ios14: "iOS 14 and later"
        }
    }
}
