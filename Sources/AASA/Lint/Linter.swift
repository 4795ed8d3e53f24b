import StrictJSON

extension Association {
    /// Checks a file's bytes. The public validator, the CLI and the publication gate use this method.
    ///
    /// ``LintBudget`` limits the time. Checks that would exceed it are skipped, and the finding WM009 reports this.
    ///
    /// - Parameters:
    ///   - bytes: The file. Any bytes are allowed.
    ///   - registered: The registered apps. Other apps get a notice. If `nil`, this check is skipped.
    ///   - sensitive: Links that usually belong in the browser. A rule that opens one gets a notice.
    public static func lint(
        _ bytes: [UInt8], registered: Set<AppID>? = nil, sensitive: [SensitiveLink] = SensitiveLink.known
    ) -> LintReport {
        Linter.report(bytes, registered: registered, sensitive: sensitive)
    }

    /// Checks the content of a signed file, and adds the finding that the file is signed (WM004). No finding has a fix,
    /// because offsets in the content are not offsets in the file.
    ///
    /// - Parameter size: The size of the signed file. Apple's limit applies to this size.
    public static func lint(
        payload: [UInt8], ofSignedFile size: Int, registered: Set<AppID>? = nil
    ) -> LintReport { Linter.report(payload: payload, ofSignedFile: size, registered: registered) }

    /// Checks an association as if the file were its compact ``bytes``.
    public func lint(
        registered: Set<AppID>? = nil, sensitive: [SensitiveLink] = SensitiveLink.known
    ) -> LintReport { Self.lint(bytes, registered: registered, sensitive: sensitive) }
}

/// Checks a file and collects findings. Each aspect is an extension in `Checks/`.
final class Linter {
    let association: Association
    let registered: Set<AppID>?
    let sensitive: [SensitiveLink]
    let variables: VariableShapes
    /// The entries as the latest systems read them.
    let entries: [EntryShape]
    let source: SourceText
    var budget = LintBudget()
    /// The compiled file, for findings with example URLs.
    lazy var compiled = CompiledAssociation(association)
    lazy var mentionsUK = source.mentionsUK
    /// Whether the file or any entry has `defaults`.
    lazy var hasDefaults = entries.contains { !$0.defaults(association).isEmpty }
    /// For each entry, the index of its first valid app in the compiled file. `nil` if the entry has no valid app, or
    /// if earlier entries contain all its apps: iOS uses only the first entry of an app.
    lazy var firstApps: [Int?] = {
        var seen: Set<[UInt8]> = []
        return entries.map { entry in
            var first: Int?
            for app in entry.reading.apps {
                let place = seen.count
                // No installed app has an ID whose prefix has a wrong length [REP].
                if seen.insert(Array(app.normalized.utf8)).inserted, app.isWellFormed { first = first ?? place }
            }
            return first
        }
    }()
    var decider = Decider()

    /// The faults found so far that can cause other findings.
    private(set) var causes = Causes()
    /// The rules without effect because an earlier rule decides the opposite.
    private(set) var contradicted: Set<JSONPointer> = []
    /// The query items that require nothing.
    private(set) var looseItems: Set<JSONPointer> = []

    /// Whether an app ID comes from an example. The rest of the file then probably does too.
    var hasPlaceholder = false
    /// The number of searches for an example URL of an app's later entry.
    var examplesOfLaterEntries = 0
    /// Whether the finding about `defaults` and `paths` has been added.
    var areDefaultsReported = false

    /// For each variable of the file, by name: the parts of URLs whose patterns use it and are compared with URLs as
    /// written.
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
            // The finding about the size is sufficient.
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

    /// The report for a file that cannot be read.
    static func report(of error: AssociationError, size: Int) -> LintReport {
        let problems = [sizeProblem(size), .unreadable(error, nil)].compactMap(\.self)
        return LintReport(size: size, findings: problems.map { finding($0) }, isTruncated: false)
    }

    /// "Body > 131,072 bytes is cancelled; exactly 131,072 is accepted" [REP]; "others use 128,000".
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
        // Added at the root, like all findings about the whole file.
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
        // Limits the work for a malicious file. Findings about the whole file are always included.
        guard findings.count < LintReport.limit || pointer.tokens.isEmpty else {
            isTruncated = true
            return
        }
        causes.note(problem, pointer)
        // A duplicate name has two places, and a fix could change the one that is not used.
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

    /// The findings in the order of the text. Findings at the same place keep their order.
    private var sortedFindings: [Finding] {
        let offsets = findings.enumerated().map { (offset: $1.position?.offset ?? 0, index: $0) }
        return offsets.sorted { $0 < $1 }.map { findings[$0.index] }
    }
}
