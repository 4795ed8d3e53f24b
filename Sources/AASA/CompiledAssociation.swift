import StrictJSON

/// An association compiled for one generation of systems, ready to decide about many URLs.
///
/// The cost of a decision grows with the rules and, for each pattern, with pattern × text / 64 at most; a written budget
/// bounds it (``Evaluation/Ineligibility/Code/tooComplex``).
public struct CompiledAssociation: Sendable {
    private struct Entry {
        let pointer: JSONPointer
        /// Nil where nothing restricts the entry: every URL matches.
        let rules: [CompiledRule]?
    }

    private struct App {
        let id: String
        let entry: Int
    }

    /// The system that the association is compiled for.
    public let system: SystemVersion

    private let entries: [Entry]
    private let apps: [App]

    /// The app IDs in file order, each once.
    public var appIDs: [String] { apps.map(\.id) }
    private let rejection: Evaluation.Ineligibility?

    /// Compiles an association.
    public init(_ association: Association, os system: SystemVersion = .latest) {
        self.system = system
        rejection = system == .ios9 ? LegacyRejection.reason(association) : nil
        // Before iOS 13.5 `$(…)` is literal text.
        let variables =
            system >= .ios13point5 ? VariableTable(association.applinks?["substitutionVariables"]) : nil
        let fileDefaults = association.defaults(os: system)
        var entries: [Entry] = []
        var apps: [App] = []
        var seen: Set<[UInt8]> = []
        for reading in association.entries(os: system) {
            let rules = RuleReading.rules(of: reading, fileDefaults: fileDefaults, os: system)
            let compiled = rules?.map { CompiledRule($0.component, at: $0.pointer, variables: variables) }
            // "Same app in two details items: the first item wins, the later one is dropped" [REP], consistent with
            // the observed "multiple details".
            for app in reading.apps.map(\.normalized) where seen.insert(Array(app.utf8)).inserted {
                apps.append(App(id: app, entry: entries.count))
            }
            entries.append(Entry(pointer: reading.pointer, rules: compiled))
        }
        self.entries = entries
        self.apps = apps
    }

    /// Which app opens a URL; parameters as for ``Association/evaluate(_:entitlementDomain:os:)``.
    public func evaluate(_ url: String, entitlementDomain: String? = nil) -> Evaluation {
        if let rejection { return ineligible(url, rejection) }
        let parts: URLParts
        do {
            parts = try URLParts(url)
            if let entitlementDomain { try EntitlementDomain(entitlementDomain).check(parts.host) }
        } catch {
            return ineligible(url, error)
        }
        let compared = ComparedURL(parts)
        var budget = MatchBudget()
        let verdicts = entries.map { decide($0, compared, &budget) }
        if budget.isExhausted {
            return ineligible(
                url,
                Evaluation.Ineligibility(
                    code: .tooComplex, detail: "Comparing this URL with the file's patterns takes too much work."))
        }
        return evaluation(url, verdicts)
    }

    private typealias Verdict = (outcome: Evaluation.Outcome, decidedBy: JSONPointer?)

    /// "Per app, components (or paths) top to bottom, first one that matches decides: match, or blocked when `exclude`"
    /// [DOC]/[OBS].
    private func decide(_ entry: Entry, _ url: ComparedURL, _ budget: inout MatchBudget) -> Verdict {
        guard let rules = entry.rules else { return (.opens, entry.pointer) }
        for rule in rules where rule.matches(url, &budget) {
            return (rule.excludes ? .excluded : .opens, rule.pointer)
        }
        return (.none, nil)
    }

    /// The scope of an exclusion is "only the app (entry) that contains it" [REP]; several apps: "order of `details`"
    /// [DOC archived guide].
    private func evaluation(_ url: String, _ verdicts: [Verdict]) -> Evaluation {
        let apps = apps.map {
            Evaluation.AppVerdict(
                app: $0.id, outcome: verdicts[$0.entry].outcome, decidedBy: verdicts[$0.entry].decidedBy)
        }
        let winner = apps.first { $0.outcome == .opens }
        let isExcluded = apps.contains { $0.outcome == .excluded }
        return Evaluation(
            url: url, outcome: winner != nil ? .opens : isExcluded ? .excluded : .none, app: winner?.app, apps: apps,
            ineligibility: nil)
    }

    private func ineligible(_ url: String, _ reason: Evaluation.Ineligibility) -> Evaluation {
        Evaluation(
            url: url, outcome: .none, app: nil,
            apps: apps.map { Evaluation.AppVerdict(app: $0.id, outcome: .none, decidedBy: nil) }, ineligibility: reason)
    }
}

/// The rules of an entry as Apple's systems read them, with their places.
enum RuleReading {
    /// Nil where nothing restricts the entry.
    static func rules(
        of entry: EntryReading, fileDefaults: JSONObject?, os system: SystemVersion
    ) -> [(component: ComponentReading, pointer: JSONPointer)]? {
        let defaults = [entry.defaults, fileDefaults].compactMap(\.self)
        switch entry.patterns {
        case .unrestricted: return nil
        case .components(let components, let pointer):
            return components.enumerated().map { index, component in
                (ComponentReading(component, defaults: defaults, os: system), pointer.appending(index))
            }
        case .paths(let paths, let pointer):
            return paths.enumerated().map { index, path in
                (ComponentReading(path: path, defaults: defaults, os: system), pointer.appending(index))
            }
        }
    }
}

/// Files that iOS 9 to 12 reject as a whole.
enum LegacyRejection {
    /// `applinks.apps` is "required and empty on 9-12" [DOC]; a `details` item without `appID` or `paths` "made the
    /// whole file fail" [COMM].
    static func reason(_ association: Association) -> Evaluation.Ineligibility? {
        guard let applinks = association.applinks else { return nil }
        if applinks["apps"]?.array?.isEmpty != true {
            return rejected("applinks.apps must be there and empty for iOS 9 to 12")
        }
        for (index, item) in (applinks["details"]?.array ?? []).enumerated() {
            guard item["appID"]?.string != nil, item["paths"]?.array != nil else {
                return rejected("/applinks/details/\(index) has no appID or no paths, which iOS 9 to 12 need")
            }
        }
        return nil
    }

    private static func rejected(_ reason: String) -> Evaluation.Ineligibility {
        Evaluation.Ineligibility(code: .fileRejected, detail: "The system rejects the whole file: \(reason).")
    }
}
