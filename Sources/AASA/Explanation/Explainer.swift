/// Decides about URLs, and explains why and how certain the decision is.
///
/// Its outcomes are those of ``CompiledAssociation``. It caches intermediate results, so use one for many URLs, on one
/// thread.
public final class Explainer {
    /// The file.
    public let association: Association
    /// The system that reads it.
    public let system: SystemVersion

    /// The maximum number of steps to find out the certainty of one evaluation: some tens of milliseconds.
    static let workForCertainty = 3_000_000
    /// How many of those steps another reading costs for each rule, and for each ten apps, of the file.
    static let workForRule = 100

    let compiled: CompiledAssociation
    private var readings: [OpenRule?: FileReading] = [:]

    /// An explainer for a file and one generation of systems.
    public init(_ association: Association, os system: SystemVersion = .latest) {
        self.association = association
        self.system = system
        compiled = CompiledAssociation(association, os: system)
    }

    /// The app IDs in file order, each once.
    public var appIDs: [String] { compiled.appIDs }

    /// Which app opens a URL, and how certain that is.
    ///
    /// - Parameters:
    ///   - url: An absolute URL, or a path with query and fragment on the file's own host.
    ///   - entitlementDomains: The domains after `applinks:` in the apps' entitlements, such as `example.com` or
    ///     `*.example.com`; an empty list accepts any host.
    ///   - explanation: Whether to add ``Evaluation/trace``, and for which app.
    ///   - mayGoOn: Called repeatedly while certainty and trace are worked out. If it returns false, they stay unfinished
    ///     and say so; the outcome is always complete.
    public func evaluate(
        _ url: String, entitlementDomains: [String] = [], explaining explanation: Explanation = .nothing,
        while mayGoOn: () -> Bool = { true }
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
            // An invalid entitlement matters more than a fault of the URL.
            let isFirst = evaluation.ineligibility == nil || error.code != .otherHost
            if isFirst { evaluation = evaluation.refused(error) }
        }
        judge(&evaluation, parts, domains, while: mayGoOn)
        if explanation.isWanted { evaluation.trace = trace(evaluation, parts, explanation, while: mayGoOn) }
        return evaluation
    }

    func reading(_ departure: OpenRule?) -> FileReading {
        if let known = readings[departure] { return known }
        let reading = FileReading(association, os: system, departure: departure)
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
