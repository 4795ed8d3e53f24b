import StrictJSON

/// Evaluates test cases line by line, for any program that runs a collection of them.
///
/// The protocol is that of the blazingly-aasa test collection. Each input line is a JSON object, `{"id", "aasa",
/// "domain", "appId", "url"}`. `aasa` is the file as a JSON value or as a string. `domain` is the file's host or a
/// domain of an entitlement, such as `*.example.com`. Each output line is `{"id", "decision"}`, and `decision` is
/// `match`, `exclude` or `no_match`. Output lines have the order of the input. If a line cannot be evaluated, its
/// output is `{"id", "error"}`, with a null `id` if the line cannot be parsed. Empty lines are skipped.
public struct MatchLines {
    /// The maximum number of bytes of a line, without its line end.
    public static let maximumLength = 4 << 20

    private static let limits = JSONLimits(
        bytes: maximumLength, depth: 80, numberLength: 512, stringLength: maximumLength, values: .max)

    private var line: [UInt8] = []
    private var isTooLong = false

    /// Creates a reader at the beginning of its input.
    public init() {}

    /// Reads the next bytes of the input. They can end anywhere in a line.
    ///
    /// - Returns: The output for all lines that are now complete, with line ends.
    public mutating func read(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var answers: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                answers += endLine()
            } else if line.count < Self.maximumLength {
                line.append(byte)
            } else {
                isTooLong = true
            }
        }
        return answers
    }

    /// Ends the input.
    ///
    /// - Returns: The output for the last line, if it has no line end.
    public mutating func end() -> [UInt8] { endLine() }

    private mutating func endLine() -> [UInt8] {
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        if isTooLong { return Self.error("The line has more than \(Self.maximumLength) bytes.", id: .null) }
        return Self.answer(to: line)
    }

    /// The output for one input line, with a line end. Empty for an empty line.
    public static func answer(to line: [UInt8]) -> [UInt8] {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return [] }
        let question: JSONValue
        do {
            question = try JSONDocument(parsing: line, limits: limits, options: .lenient).root
        } catch {
            return self.error(
                "The line is not valid JSON (column \(error.position.column)): \(error.message).", id: .null)
        }
        let id = question["id"] ?? .null
        guard question.object != nil else { return error("The line is not a JSON object.", id: .null) }
        guard question["id"] != nil else { return error("\"id\" is missing.", id: .null) }
        guard let domain = question["domain"]?.string, let app = question["appId"]?.string,
            let url = question["url"]?.string
        else { return error("\"domain\", \"appId\" and \"url\" must be strings.", id: id) }
        do {
            let association = try association(question["aasa"])
            let evaluation = CompiledAssociation(association).evaluate(url, entitlementDomain: domain)
            if evaluation.ineligibility?.code == .tooComplex {
                return error("Comparing this URL with the file's patterns takes too long.", id: id)
            }
            let wanted = EntryReading.App(text: app, pointer: JSONPointer()).normalized
            let outcome = evaluation.apps.first { $0.app.utf8.elementsEqual(wanted.utf8) }?.outcome ?? .none
            return written(["id": id, "decision": .string(word(outcome))])
        } catch {
            return self.error(error.advice(on: Array((question["aasa"]?.string ?? "").utf8)), id: id)
        }
    }

    private static func association(_ value: JSONValue?) throws(AssociationError) -> Association {
        switch value {
        case .object(let root): Association(root: root)
        case .string(let text): try Association(parsing: Array(text.utf8))
        default: throw .rootIsNotAnObject(value?.typeName ?? "missing")
        }
    }

    private static func word(_ outcome: Evaluation.Outcome) -> String {
        switch outcome {
        case .opens: "match"
        case .excluded: "exclude"
        case .none: "no_match"
        }
    }

    private static func error(_ text: String, id: JSONValue) -> [UInt8] { written(["id": id, "error": .string(text)]) }

    private static func written(_ answer: JSONValue) -> [UInt8] { answer.bytes() + [UInt8(ascii: "\n")] }
}
