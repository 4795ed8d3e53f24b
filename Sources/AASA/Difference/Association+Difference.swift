extension Association {
    /// What is different between this file and another one: in what they say, and in what becomes of URLs.
    ///
    /// Rules are compared by what they mean to the newest of the systems. The difference is empty exactly when the
    /// files say the same (are equal as associations); taken the other way round it is the same read backwards, apart
    /// from the order of its lists. It is the same on every machine and run.
    ///
    /// - Parameters:
    ///   - after: The other file, which is to take the place of this one.
    ///   - urls: URLs to try, absolute or beginning with `/` for a place on the file's own host.
    ///   - samples: How many URLs to make from both files' patterns at most, those of changed rules first.
    ///   - systems: The systems for which to say what becomes of the URLs.
    ///   - steps: How much comparing of URLs to do at most, in steps of a nanosecond or two, estimated from above.
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
    /// The systems for which a comparison with another file says what becomes of URLs, unless it is asked for others:
    /// the newest, and iOS 9 to 12 if one of the files gives universal links to an app there.
    public func systemsToCompare(with other: Association) -> [SystemVersion] {
        servesOldSystems || other.servesOldSystems ? [.latest, .ios9] : [.latest]
    }
}

extension SystemVersion {
    /// The systems in words: "iOS 9 to 12".
    public var words: String {
        switch self {
        case .ios9: "iOS 9 to 12"
        case .ios13: "iOS 13.0 to 13.4"
        case .ios13point5: "iOS 13.5 to 13.7"
        case .ios14: "iOS 14 and later"
        }
    }
}
