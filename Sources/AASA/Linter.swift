import StrictJSON

extension Association {
    /// Examines a file's bytes: the public validator, the CLI and the gate all ask here.
    ///
    /// - Parameters:
    ///   - bytes: The file, whatever it is.
    ///   - registered: The apps that are known; others give a notice. Nil asks nothing of the kind.
    public static func lint(_ bytes: [UInt8], registered: Set<AppID>? = nil) -> LintReport {
        Linter.report(bytes, registered: registered)
    }

    /// Examines an association as if its compact ``bytes`` were the file.
    public func lint(registered: Set<AppID>? = nil) -> LintReport { Self.lint(bytes, registered: registered) }
}

/// Walks through a file and collects what is to be said of it. Each aspect is an extension in `Lints/`.
struct Linter {
    let association: Association
    let registered: Set<AppID>?
    let variables: VariableTable

    private let json: JSONDocument
    private var findings: [Finding] = []
    private(set) var isTruncated = false

    private init(_ document: AssociationDocument, registered: Set<AppID>?) {
        association = document.association
        json = document.json
        self.registered = registered
        variables = VariableTable(document.association.applinks?["substitutionVariables"])
    }

    static func report(_ bytes: [UInt8], registered: Set<AppID>?) -> LintReport {
        var whole = sizeProblem(bytes.count).map { [finding($0)] } ?? []
        do {
            var linter = Linter(try AssociationDocument(parsing: bytes), registered: registered)
            linter.lint()
            return LintReport(
                size: bytes.count, findings: whole + linter.sortedFindings, isTruncated: linter.isTruncated)
        } catch .invalidJSON(let error) where error.code == .tooLarge {
            // The finding about the size says it already.
            return LintReport(size: bytes.count, findings: whole, isTruncated: false)
        } catch {
            whole.append(finding(.unreadable(error), position: error.position))
            return LintReport(size: bytes.count, findings: whole, isTruncated: false)
        }
    }

    /// "Body > 131,072 bytes is cancelled; exactly 131,072 is accepted" [REP]; "others use 128,000" (semantics, 2).
    private static func sizeProblem(_ size: Int) -> Problem? {
        if size > Association.maximumSize { return .tooLarge(size) }
        return size > Association.advisedSize ? .nearlyTooLarge(size) : nil
    }

    private mutating func lint() {
        for duplicate in json.duplicates {
            add(.duplicateKey(duplicate.pointer.tokens.last ?? ""), duplicate.pointer, position: duplicate.position)
        }
        lintShape()
        lintApps()
        lintRules()
    }

    /// Adds a finding about the value at a pointer.
    mutating func add(_ problem: Problem, _ pointer: JSONPointer) {
        add(problem, pointer, position: json.position(of: pointer))
    }

    /// Adds a finding about the name of the member at a pointer.
    mutating func add(_ problem: Problem, key pointer: JSONPointer) {
        add(problem, pointer, position: json.keyPosition(of: pointer))
    }

    private mutating func add(_ problem: Problem, _ pointer: JSONPointer, position: JSONPosition?) {
        guard findings.count < LintReport.limit else {
            isTruncated = true
            return
        }
        findings.append(Self.finding(problem, pointer, position: position))
    }

    private static func finding(
        _ problem: Problem, _ pointer: JSONPointer = JSONPointer(), position: JSONPosition? = nil
    ) -> Finding {
        Finding(
            code: problem.code, pointer: pointer, position: position, message: problem.message, remedy: problem.remedy)
    }

    /// In the order of the text, where several stand at one place in the order in which they were found.
    private var sortedFindings: [Finding] {
        let offsets = findings.enumerated().map { (offset: $1.position?.offset ?? 0, index: $0) }
        return offsets.sorted { $0 < $1 }.map { findings[$0.index] }
    }
}
