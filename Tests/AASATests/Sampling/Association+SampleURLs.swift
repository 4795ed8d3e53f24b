import StrictJSON

@testable import AASA

extension Association {
    /// URLs that the file's rules tell apart, as a difference of two files makes them: for each rule one that it decides,
    /// if there is one to be found, URLs that match two rules, near misses, and other spellings.
    ///
    /// - Parameters:
    ///   - limit: How many URLs to make at most.
    ///   - system: The system that reads the file.
    func sampleURLs(limit: Int = 500, os system: SystemVersion = .latest) -> [SampleURL] {
        var collection = SampleCollection(limit: limit)
        var allowance = EvaluationAllowance(steps: Difference.usualSteps)
        let sampler = FileSampler(self, entries: placedEntries(os: system), os: system)
        collection.addAnywhere()
        collection.add([(sampler, Array(sampler.rules.indices))], &allowance)
        return collection.samples
    }
}
