/// Evaluates URLs one at a time in its own reusable memory. Once this memory is large enough for the largest URL,
/// decisions do not allocate.
///
/// Create one decider for each thread; threads cannot share one. A decider can be used with many associations:
///
/// ```swift
/// var decider = Decider()
/// let decision = decider.decide("https://www.example.com/buy/42", by: association)
/// if let app = decision.app { print(association.appIDs[app]) }
/// ```
public struct Decider: ~Copyable {
    private var url = PreparedURL()
    private var matcher = PlaceMatcher()
    private var budget = MatchBudget()
    /// For each entry, the rule that decided, or a special value such as ``RuleTable/undecided``.
    private var results = ScratchMemory<Int32>(capacity: 16)
    /// One bit for each rule. It is set if the path begins with the literal beginning of the rule's path pattern.
    private var candidates = ScratchMemory<UInt64>(capacity: 16)
    /// The path in each form. Undefined if no rule uses the form.
    private var paths = ScratchMemory<URLSplit.Part>(capacity: 4)
    /// For each app, the decision and its place.
    private var appResults = ScratchMemory<AppResult>(capacity: 16)

    struct AppResult: BitwiseCopyable {
        let excludes: Bool
        let place: DecidingPlace?
    }

    /// Creates a decider with memory for URLs of usual size.
    public init() { _ = paths.reserve(4) }

    /// The decision for one app, as numbers.
    public struct Verdict: Hashable, Sendable {
        /// The outcome of the URL for this app.
        public let outcome: Evaluation.Outcome
        /// The rule or entry that decided, for use with ``CompiledAssociation/pointer(of:)``, or `nil` if none matched.
        public let decidedBy: DecidingPlace?
    }

    /// Determines which app opens a URL.
    ///
    /// - Parameters:
    ///   - url: An absolute URL of at most 65,536 bytes, or a path with query and fragment on the file's own host.
    ///   - association: The file with the rules.
    /// - Returns: The decision. Until the next call, ``verdict(ofApp:)`` returns the decision for each app.
    public mutating func decide(_ url: String, by association: CompiledAssociation) -> Decision {
        decide(url.utf8.span, by: association)
    }

    /// Determines which app opens a URL, given as UTF-8 bytes.
    public mutating func decide(_ url: Span<UInt8>, by association: CompiledAssociation) -> Decision {
        decision(url, by: association, entitlement: nil).decision
    }

    /// The last decision for an app, by its index in ``CompiledAssociation/appIDs``, or `nil` if the index is out of
    /// range.
    public func verdict(ofApp place: Int) -> Verdict? {
        guard place >= 0, place < appResults.count else { return nil }
        let result = appResults.start[place]
        let outcome: Evaluation.Outcome = result.place == nil ? .none : result.excludes ? .excluded : .opens
        return Verdict(outcome: outcome, decidedBy: result.place)
    }

    /// The cost of the last decision in comparison steps.
    var work: Int { budget.spent }

    /// The last decision for each app.
    var verdicts: [Verdict] { (0..<appResults.count).compactMap { verdict(ofApp: $0) } }

    /// Same as ``decide(_:by:)``, for an entitlement's domain. Also returns the reason if the URL cannot open an app.
    mutating func decision(
        _ url: Span<UInt8>, by association: CompiledAssociation, entitlement: EntitlementDomain?
    ) -> (decision: Decision, refusal: Refusal?) {
        do {
            return (try decide(url, by: association, entitlement: entitlement), nil)
        } catch {
            return (Decision(outcome: .none, app: nil, ineligibility: error.code), error)
        }
    }

    private mutating func decide(
        _ url: Span<UInt8>, by association: CompiledAssociation, entitlement: EntitlementDomain?
    ) throws(Refusal) -> Decision {
        let table = association.table.view
        appResults.cut(to: 0)
        _ = appResults.reserve(table.appCount)
        appResults.start.update(repeating: AppResult(excludes: false, place: nil), count: appResults.count)
        if let rejection = association.rejection { throw .file(rejection) }
        matcher.forget()
        try load(url, entitlement)
        results.cut(to: 0)
        _ = results.reserve(table.entryCount)
        results.start.update(from: table.results, count: table.entryCount)
        budget = MatchBudget()
        findCandidates(table)
        tryCandidates(table)
        if budget.isExhausted { throw .tooComplex }
        return conclude(table)
    }

    private mutating func load(_ bytes: Span<UInt8>, _ entitlement: EntitlementDomain?) throws(Refusal) {
        let host: URLSplit.Part?
        do {
            host = try bytes.withUnsafeBufferPointer { bytes throws(URLFault) in try url.load(bytes) }
        } catch {
            throw .url(error)
        }
        guard let entitlement else { return }
        // The host is compared in lower case [OBS].
        let name = host.map { part in
            let view = url.view(part)
            return String(decoding: UnsafeBufferPointer(start: view.start, count: view.count), as: UTF8.self)
                .lowercased()
        }
        do { try entitlement.check(name) } catch { throw .file(error) }
    }

    /// Marks the rules whose prefix matches.
    private mutating func findCandidates(_ table: RuleTable.View) {
        candidates.cut(to: 0)
        let words = (table.ruleCount + 63) / 64
        _ = candidates.reserve(words)
        candidates.start.update(repeating: 0, count: words)
        for form in 0..<4 where table.index.hasRules(form) {
            let path = url.path(ComparedForm(number: form))
            paths.start[form] = path
            budget.spend(path.count)
            table.index.mark(form, url.view(path), in: candidates.start)
        }
    }

    /// Tries the rules of each entry from top to bottom. The first matching rule decides: it opens the app, or excludes
    /// the URL if it has `exclude` [DOC]/[OBS].
    private mutating func tryCandidates(_ table: RuleTable.View) {
        for word in 0..<candidates.count {
            var bits = candidates.start[word]
            while bits != 0 {
                let number = word << 6 | bits.trailingZeroBitCount
                bits &= bits &- 1
                let rule = table.rules + number
                let entry = Int(rule.pointee.entry)
                guard results.start[entry] == RuleTable.undecided else { continue }
                if budget.isExhausted { return }
                budget.spend(1)
                if matches(rule, table) { results.start[entry] = Int32(truncatingIfNeeded: number) }
            }
        }
    }

    /// "Inside one component: path, fragment, query, all must match" [DOC]/[OBS]. The path's prefix has matched.
    private mutating func matches(_ rule: UnsafePointer<RuleTable.Rule>, _ table: RuleTable.View) -> Bool {
        let path = paths.start[Int(rule.pointee.form)]
        switch rule.pointee.pathTail {
        case .anything: break
        case .end:
            guard path.count == Int(rule.pointee.pathPrefix) else { return false }
        case .suffix, .steps, .places:
            let pattern = table.patterns + Int(rule.pointee.path)
            guard pattern.pointee.tailMatches(url.view(path), table.variables, &matcher, &budget) else { return false }
        }
        return rule.pointee.isPathOnly || matchesBehindPath(rule.pointee, table)
    }

    private mutating func matchesBehindPath(_ rule: RuleTable.Rule, _ table: RuleTable.View) -> Bool {
        let form = ComparedForm(number: Int(rule.form))
        if rule.fragment >= 0, !matches(Int(rule.fragment), url.fragment(form), table) { return false }
        if rule.query >= 0, !matches(Int(rule.query), url.query(form), table) { return false }
        for item in 0..<Int(rule.itemCount)
        where !matches(table.items[Int(rule.firstItem) + item], form, table) {
            return false
        }
        return true
    }

    /// "Name absent from the URL: compared as `""`" [DOC WWDC19]/[OBS]. "Name repeated: every occurrence must match"
    /// [OBS].
    private mutating func matches(_ item: RuleTable.Item, _ form: ComparedForm, _ table: RuleTable.View) -> Bool {
        let name = TextView(
            start: table.names + item.nameOffset, count: item.nameCount, identity: 0)
        let present = url.items(form)
        budget.spend(present.count / 8 + 1)
        var isAbsent = true
        for index in present {
            let candidate = url.item(index)
            guard candidate.hash == item.hash, url.view(candidate.name).equals(name) else { continue }
            isAbsent = false
            if !matches(item.pattern, candidate.value, table) { return false }
        }
        return !isAbsent || matches(item.pattern, URLSplit.Part(offset: 0, count: 0), table)
    }

    private mutating func matches(_ number: Int, _ part: URLSplit.Part, _ table: RuleTable.View) -> Bool {
        let pattern = table.patterns + number
        let text = url.view(part)
        budget.spend(1)
        return pattern.pointee.prefixMatches(text)
            && pattern.pointee.tailMatches(text, table.variables, &matcher, &budget)
    }

    /// An exclusion applies "only to the app (entry) that contains it" [REP]. If several apps can open the URL, the first
    /// one in `details` wins [DOC archived guide].
    private mutating func conclude(_ table: RuleTable.View) -> Decision {
        var winner: Int?
        var isExcluded = false
        for app in 0..<appResults.count {
            let entry = table.apps[app]
            let result = results.start[Int(entry)]
            if result == RuleTable.undecided { continue }
            let excludes = result >= 0 && table.rules[Int(result)].excludes
            let place =
                result >= 0 ? DecidingPlace(kind: .rule, number: result) : DecidingPlace(kind: .entry, number: entry)
            appResults.start[app] = AppResult(excludes: excludes, place: place)
            if excludes { isExcluded = true } else if winner == nil { winner = app }
        }
        return Decision(
            outcome: winner != nil ? .opens : isExcluded ? .excluded : .none, app: winner, ineligibility: nil)
    }
}

/// The decision for a URL, as numbers. ``Evaluation`` has the same information as text.
public struct Decision: Hashable, Sendable {
    /// The outcome: `opens` if any app opens the URL, otherwise `excluded` if any rule excludes it.
    public let outcome: Evaluation.Outcome
    /// The first app in file order that opens the URL, as an index in ``CompiledAssociation/appIDs``.
    public let app: Int?
    /// The reason why the URL cannot open an app, or `nil` if the rules decided.
    public let ineligibility: Evaluation.Ineligibility.Code?
}

/// A rule, or an entry without rules, that decided.
public struct DecidingPlace: Hashable, Sendable, BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable { case rule, entry }

    let kind: Kind
    let number: Int32
}

/// The reason why the rules could not decide.
enum Refusal: Error {
    case url(URLFault)
    case file(Evaluation.Ineligibility)
    case tooComplex

    var code: Evaluation.Ineligibility.Code {
        switch self {
        case .url(let fault): fault.code
        case .file(let reason): reason.code
        case .tooComplex: .tooComplex
        }
    }

    var ineligibility: Evaluation.Ineligibility {
        switch self {
        case .url(let fault): fault.ineligibility
        case .file(let reason): reason
        case .tooComplex:
            Evaluation.Ineligibility(
                code: .tooComplex, detail: "Comparing this URL with the file's patterns takes too long.")
        }
    }
}
