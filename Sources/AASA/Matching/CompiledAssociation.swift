public import StrictJSON

/// An association compiled for one generation of systems. Use it to evaluate many URLs.
///
/// The cost of a decision depends on the URL, and on the number of rules whose path begins with the same literal text.
/// It does not depend on the size of the file. Comparing a pattern costs at most pattern length × text length / 64
/// steps. A budget limits the steps of a decision (``Evaluation/Ineligibility/Code/tooComplex``). ``Decider`` returns
/// decisions as numbers and does not allocate.
public struct CompiledAssociation: Sendable {
    /// The system that the association is compiled for.
    public let system: SystemVersion

    /// The app IDs in file order, without duplicates.
    public let appIDs: [String]

    /// The reason why the system rejects the whole file, or `nil` if it accepts the file.
    let rejection: Evaluation.Ineligibility?
    let table: RuleTable

    private let entryPointers: [JSONPointer]
    private let rulePointers: [JSONPointer]

    /// Compiles an association.
    public init(_ association: Association, os system: SystemVersion = .latest) {
        self.system = system
        rejection = system == .ios9 ? LegacyRejection.reason(association) : nil
        // Before iOS 13.5, `$(…)` is literal text.
        let variables =
            system >= .ios13point5 ? VariableTable(association.applinks?["substitutionVariables"]) : nil
        let fileDefaults = association.defaults(os: system)
        var entries: [[CompiledRule]?] = []
        var entryPointers: [JSONPointer] = []
        var apps: [(id: String, entry: Int)] = []
        var seen: Set<[UInt8]> = []
        for reading in association.entries(os: system) {
            // "Same app in two details items: the first item wins, the later one is dropped" [REP]. This agrees with
            // the observed "multiple details".
            let new = reading.apps.map(\.normalized).filter { seen.insert(Array($0.utf8)).inserted }
            // "No appID at all: item contributes nothing" [OBS].
            guard !new.isEmpty else { continue }
            for app in new { apps.append((app, entries.count)) }
            entries.append(
                RuleReading.rules(of: reading, fileDefaults: fileDefaults, os: system)?
                    .map { CompiledRule($0.component, at: $0.pointer, variables: variables) })
            entryPointers.append(reading.pointer)
        }
        appIDs = apps.map(\.id)
        table = RuleTable(entries: entries, apps: apps.map(\.entry))
        self.entryPointers = entryPointers
        rulePointers = entries.flatMap { $0 ?? [] }.map(\.pointer)
    }

    /// Determines which app opens a URL. For the parameters, see ``Association/evaluate(_:entitlementDomain:os:)``.
    public func evaluate(_ url: String, entitlementDomain: String? = nil) -> Evaluation {
        var decider = Decider()
        return evaluate(url, entitlementDomain: entitlementDomain, by: &decider)
    }

    /// Same as ``evaluate(_:entitlementDomain:)``, with the caller's decider. Its memory can be reused for many URLs.
    public func evaluate(
        _ url: String, entitlementDomain: String? = nil, by decider: inout Decider
    ) -> Evaluation {
        let (decision, refusal) = decider.decision(
            url.utf8.span, by: self, entitlement: entitlementDomain.map { EntitlementDomain($0) })
        let apps = zip(appIDs, decider.verdicts).map { app, verdict in
            Evaluation.AppVerdict(
                app: app, outcome: verdict.outcome, decidedBy: verdict.decidedBy.flatMap { pointer(of: $0) })
        }
        return Evaluation(
            url: url, outcome: decision.outcome, app: decision.app.map { appIDs[$0] }, apps: apps,
            ineligibility: refusal?.ineligibility)
    }

    /// The place in the file that decided: a rule, such as `/applinks/details/0/components/2`, or an entry without
    /// rules. `place` must come from a decision by this association. Returns `nil` if the association does not have the
    /// place.
    public func pointer(of place: DecidingPlace) -> JSONPointer? {
        let pointers = place.kind == .rule ? rulePointers : entryPointers
        let number = Int(place.number)
        return pointers.indices.contains(number) ? pointers[number] : nil
    }
}

/// Reads the rules of an entry as Apple's systems do, with their places.
enum RuleReading {
    /// The rules, or `nil` if the entry has neither `components` nor `paths`.
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

/// Finds files that iOS 9 to 12 reject completely.
enum LegacyRejection {
    /// `applinks.apps` is "required and empty on 9-12" [DOC]; a `details` item without `appID` or `paths` "made the
    /// whole file fail" [COMM].
    static func reason(_ association: Association) -> Evaluation.Ineligibility? {
        guard let applinks = association.applinks else { return nil }
        if applinks["apps"]?.array?.isEmpty != true {
            return rejected("iOS 9 to 12 need an empty applinks.apps")
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
