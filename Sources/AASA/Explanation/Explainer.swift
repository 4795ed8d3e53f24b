/// Evaluates URLs, and explains the outcome and its certainty.
///
/// It gives the same outcomes as ``CompiledAssociation``. It keeps intermediate results, so use one instance for many
/// URLs, and only on one thread.
public final class Explainer {
    /// The maximum number of steps to determine the certainty of one evaluation: some tens of milliseconds.
    static let workForCertainty = 3_000_000
    /// The number of steps that each alternative reading costs in addition, per rule and per ten apps of the file.
    static let workForRule = 100

    private let file: CompiledFile
    private var readings: [OpenRule?: FileReading] = [:]

    /// Creates an explainer for a file and one generation of systems.
    public convenience init(_ association: Association, os system: SystemVersion = .latest) {
        self.init(CompiledFile(association, os: system))
    }

    /// Creates an explainer for a file that is already compiled.
    public init(_ file: CompiledFile) {
        self.file = file
    }

    /// The file.
    public var association: Association { file.association }
    /// The system that reads it.
    public var system: SystemVersion { compiled.system }
    var compiled: CompiledAssociation { file.compiled }

    /// The app IDs in file order, without duplicates.
    public var appIDs: [String] { compiled.appIDs }

    /// Determines which app opens a URL, and how certain this is.
    ///
    /// - Parameters:
    ///   - url: An absolute URL, or a path with query and fragment on the file's own host.
    ///   - entitlementDomains: The domains after `applinks:` in the apps' entitlements, such as `example.com` or
    ///     `*.example.com`. If empty, any host is accepted.
    ///   - explanation: The apps for which ``Evaluation/trace`` is added.
    ///   - mayContinue: Called repeatedly while certainty and trace are computed. If it returns false, they stay
    ///     incomplete and are marked as such. The outcome is always complete.
    public func evaluate(
        _ url: String, entitlementDomains: [String] = [], explaining explanation: Explanation = .nothing,
        while mayContinue: () -> Bool = { true }
    ) -> Evaluation {
        var evaluation: Evaluation
        let parts = try? URLParts(url)
        let domains = AssociatedDomains(entitlementDomains)
        do {
            let domain = try domains.check(parts?.host)
            evaluation = compiled.evaluate(url)
            evaluation.entitlementDomain = evaluation.ineligibility == nil ? domain : nil
        } catch {
            evaluation = compiled.evaluate(url)
            // An invalid entitlement is reported before a fault of the URL.
            let isFirst = evaluation.ineligibility == nil || error.code != .otherHost
            if isFirst { evaluation = evaluation.refused(error) }
        }
        judge(&evaluation, parts, domains, while: mayContinue)
        if explanation.isWanted { evaluation.trace = trace(evaluation, parts, explanation, while: mayContinue) }
        return evaluation
    }

    func reading(_ departure: OpenRule?) -> FileReading {
        if let known = readings[departure] { return known }
        let reading = file.reading(departure)
        readings[departure] = reading
        return reading
    }

    func texts(_ parts: URLParts, _ reading: FileReading) -> URLTexts {
        URLTexts(parts, reading: reading.patterns)
    }
}

extension Explainer {
    /// The requested explanation.
    public enum Explanation: Hashable, Sendable {
        /// None.
        case nothing
        /// The trace of every app of the file.
        case allApps
        /// The trace of one app.
        case app(String)

        var isWanted: Bool { self != .nothing }
    }
}

extension Evaluation {
    /// The evaluation of a URL that cannot open an app.
    func refused(_ reason: Ineligibility) -> Evaluation {
        Evaluation(
            url: url, outcome: .none, app: nil,
            apps: apps.map { AppVerdict(app: $0.app, outcome: .none, decidedBy: nil) }, ineligibility: reason)
    }
}
