import StrictJSON

extension Association {
    /// Checks a file's bytes. The public validator, the CLI and the gate all call this.
    ///
    /// The time is limited by ``LintBudget``: checks that would cost more are left out, and a finding says so (WM009).
    ///
    /// - Parameters:
    ///   - bytes: The file; any bytes are allowed.
    ///   - registered: The registered apps; other apps give a notice. Nil skips this check.
    ///   - sensitive: Links that usually belong in the browser; a rule that opens one gives a notice.
    public static func lint(
        _ bytes: [UInt8], registered: Set<AppID>? = nil, sensitive: [SensitiveLink] = SensitiveLink.known
    ) -> LintReport {
        Linter.report(bytes, registered: registered, sensitive: sensitive)
    }

    /// Checks the content of a signed file, and adds a finding that the file is signed (WM004). No finding has a fix:
    /// its offsets would not be those of the file.
    ///
    /// - Parameter size: The size of the signed file, which is what Apple's limit applies to.
    public static func lint(
        payload: [UInt8], ofSignedFile size: Int, registered: Set<AppID>? = nil
    ) -> LintReport { Linter.report(payload: payload, ofSignedFile: size, registered: registered) }

    /// Checks an association as if its compact ``bytes`` were the file.
    public func lint(
        registered: Set<AppID>? = nil, sensitive: [SensitiveLink] = SensitiveLink.known
    ) -> LintReport { Self.lint(bytes, registered: registered, sensitive: sensitive) }
}

/// Checks a file and collects the findings. Each aspect is an extension in `Checks/`.
final class Linter {
    let association: Association
    let registered: Set<AppID>?
    let sensitive: [SensitiveLink]
    let variables: VariableShapes
    /// The entries as the latest systems read them.
    let entries: [EntryShape]
    let source: SourceText
    var budget = LintBudget()
    /// The compiled file, for findings that show a URL.
    lazy var compiled = CompiledAssociation(association)
    lazy var mentionsUK = source.mentionsUK
    /// Whether the file or any entry has `defaults`.
    lazy var hasDefaults = entries.contains { !$0.defaults(association).isEmpty }
    /// For each entry its first app with a valid ID, as an index into the compiled file. Nil if it has none, or if all
    /// of them are in earlier entries, where they count.
    lazy var firstApps: [Int?] = {
        var seen: Set<[UInt8]> = []
        return entries.map { entry in
            var first: Int?
            for app in entry.reading.apps {
                let place = seen.count
                // "A wrong prefix length never equals an installed app" [REP].
                if seen.insert(Array(app.normalized.utf8)).inserted, app.isWellFormed { first = first ?? place }
            }
            return first
        }
    }()
    var decider = Decider()

    /// The faults so far that can be the cause of other findings.
    private(set) var causes = Causes()
    /// The rules that a contradicting earlier rule makes ineffective.
    private(set) var contradicted: Set<JSONPointer> = []
    /// The query items that require nothing.
    private(set) var looseItems: Set<JSONPointer> = []

    /// Whether an app ID comes from an example, as the rest of the file then probably does.
    var hasPlaceholder = false
    /// How often an example URL for the later entry of an app has been searched for.
    var examplesOfLaterEntries = 0
    /// Whether there is already a finding that the file's `defaults` concern `paths`.
    var isSaidOfDefaults = false

    /// For each of the file's variables, by name, the parts in which patterns that are compared with URLs as written
    /// use it.
    var uses: [[UInt8]: Set<WrittenPattern.Part>] = [:]

    private var findings: [Finding] = []
    private(set) var isTruncated = false

    private init(_ document: AssociationDocument, bytes: [UInt8], registered: Set<AppID>?, sensitive: [SensitiveLink]) {
        association = document.association
        source = SourceText(bytes: bytes, json: document.json)
        self.registered = registered
        self.sensitive = sensitive
        let variables = VariableShapes(document.association.applinks?["substitutionVariables"])
        self.variables = variables
        entries = EntryShape.entries(of: document.association, variables: variables)
    }

    static func report(_ bytes: [UInt8], registered: Set<AppID>?, sensitive: [SensitiveLink]) -> LintReport {
        var whole = sizeProblem(bytes.count).map { [finding($0)] } ?? []
        do {
            let linter = Linter(
                try AssociationDocument(parsing: bytes), bytes: bytes, registered: registered, sensitive: sensitive)
            linter.lint()
            let all = whole + linter.sortedFindings
            return LintReport(
                size: bytes.count, findings: Array(all.prefix(LintReport.limit)),
                isTruncated: linter.isTruncated || all.count > LintReport.limit)
        } catch .invalidJSON(let error) where error.code == .tooLarge {
            // The finding about the size is enough.
            return LintReport(size: bytes.count, findings: whole, isTruncated: false)
        } catch {
            whole.append(finding(.unreadable(error, of: bytes), position: error.position))
            return LintReport(size: bytes.count, findings: whole, isTruncated: false)
        }
    }

    static func report(payload: [UInt8], ofSignedFile size: Int, registered: Set<AppID>?) -> LintReport {
        let report = report(payload, registered: registered, sensitive: SensitiveLink.known)
        let inside = report.findings.filter { $0.code != .tooLarge && $0.code != .nearlyTooLarge }
        let whole = [sizeProblem(size), .signedPayload].compactMap { $0.map { finding($0) } }
        return LintReport(
            size: size, findings: Array((whole + inside.map(\.withoutFix)).prefix(LintReport.limit)),
            isTruncated: report.isTruncated)
    }

    /// The report on a file that cannot be read.
    static func report(of error: AssociationError, size: Int) -> LintReport {
        let problems = [sizeProblem(size), .unreadable(error, nil)].compactMap(\.self)
        return LintReport(size: size, findings: problems.map { finding($0) }, isTruncated: false)
    }

    /// "Body > 131,072 bytes is cancelled; exactly 131,072 is accepted" [REP]; "others use 128,000" (semantics, 2).
    private static func sizeProblem(_ size: Int) -> FindingKind? {
        if size > Association.maximumSize { return .tooLarge(size) }
        return size > Association.advisedSize ? .nearlyTooLarge(size) : nil
    }

    private func lint() {
        lintByteOrderMark()
        lintSize()
        for duplicate in source.json.duplicates {
            add(.duplicateKey(duplicate.pointer.tokens.last ?? ""), duplicate.pointer, position: duplicate.position)
        }
        lintShape()
        lintApps()
        lintSamples()
        lintPatterns()
        lintVariables()
        lintVariableValues()
        lintOldSystems()
        lintReach()
        lintExclusions()
        lintOverlaps()
        lintEvasions()
        lintSensitiveLinks()
        lintPartialExclusions()
        // At the root, like all findings about the whole file.
        if budget.isExhausted { add(.notFullyAnalysed, JSONPointer()) }
    }

    /// Adds a finding about the value at a pointer.
    func add(_ problem: FindingKind, _ pointer: JSONPointer, fix: @autoclosure () -> Fix? = nil) {
        add(problem, pointer, position: source.json.position(of: pointer), fix: fix())
    }

    /// Adds a finding about the name of the member at a pointer.
    func add(_ problem: FindingKind, key pointer: JSONPointer, fix: @autoclosure () -> Fix? = nil) {
        add(problem, pointer, position: source.json.keyPosition(of: pointer), fix: fix())
    }

    private func add(
        _ problem: FindingKind, _ pointer: JSONPointer, position: @autoclosure () -> JSONPosition?,
        fix: @autoclosure () -> Fix? = nil
    ) {
        // Limits the work for a hostile file. A finding about the whole file is always kept.
        guard findings.count < LintReport.limit || pointer.tokens.isEmpty else {
            isTruncated = true
            return
        }
        causes.note(problem, pointer)
        // A name that appears twice has two places, and a fix could change the one that does not count.
        let fix = source.json.duplicates.isEmpty ? fix() : nil
        if case .contradictedRule = problem { contradicted.insert(pointer) }
        if case .optionalQueryItem = problem { looseItems.insert(pointer) }
        findings.append(Self.finding(problem, pointer, position: position(), fix: fix))
    }

    private static func finding(
        _ problem: FindingKind, _ pointer: JSONPointer = JSONPointer(), position: JSONPosition? = nil, fix: Fix? = nil
    ) -> Finding {
        Finding(
            code: problem.code, pointer: pointer, position: position, message: problem.message, remedy: problem.remedy,
            fix: fix)
    }

    /// The findings in the order of the text; those at one place in the order in which they were found.
    private var sortedFindings: [Finding] {
        let offsets = findings.enumerated().map { (offset: $1.position?.offset ?? 0, index: $0) }
        return offsets.sorted { $0 < $1 }.map { findings[$0.index] }
    }
}
