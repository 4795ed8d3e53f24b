import StrictJSON

@testable import AASA

extension Association {
    /// The URLs that a comparison generates from the file's patterns: for each rule a URL that it decides, if one is
    /// found, and URLs that match two rules, near misses and other spellings.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of URLs.
    ///   - system: The system to evaluate for.
    func sampleURLs(limit: Int = 500, os system: SystemVersion = .latest) -> [SampleURL] {
        var collection = SampleCollection(limit: limit)
        var allowance = EvaluationAllowance(steps: Difference.usualSteps)
        let sampler = FileSampler(self, entries: placedEntries(os: system), os: system)
        collection.addAnywhere()
        collection.add([(sampler, Array(sampler.rules.indices))], &allowance)
        return collection.samples
    }
}
