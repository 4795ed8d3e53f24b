public import StrictJSON

/// Many tests in a file: as JSON, `{"tests": [{"url": …, "expected": {…}, "os": …, "note": …}]}`, or as CSV with the
/// header `url,expect,app,note`.
public struct LinkTestSuite: Hashable, Sendable {
    /// The maximum number of tests of a suite and of a domain.
    public static let limit = 1_000

    /// The tests in order. Each pair of URL and system is unique.
    public let tests: [LinkTest]

    /// Creates a suite from tests that have already been checked.
    public init(_ tests: [LinkTest]) { self.tests = tests }

    /// Reads a suite. If its first character is `{` or `[`, it is JSON, otherwise CSV. Rejects unknown keys and
    /// columns.
    ///
    /// - Parameters:
    ///   - bytes: The file in UTF-8. A byte order mark is skipped.
    ///   - host: The required host of absolute URLs, or `nil` for any host.
    ///   - inASCII: Converts the host of a URL to ASCII, if users may enter it in Unicode.
    /// - Throws: ``InvalidLinkTestSuite`` with all faults, at most ``JSONFaultCollector/limit``, each with its line.
    public init(
        parsing bytes: [UInt8], on host: Host? = nil, inASCII: @escaping (String) -> String = { $0 }
    ) throws(InvalidLinkTestSuite) {
        let url = JSONShape.linkTestURL(on: host, inASCII)
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
            throw InvalidLinkTestSuite(line: 1, code: "not_text", detail: "is not UTF-8 text")
        }
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            tests = try Self.json(text, url)
        } else {
            tests = try Self.csv(text, url)
        }
    }

    /// The suite as JSON.
    public var json: JSONValue { ["tests": .array(tests.map(\.json))] }

    private static func json(_ text: [UInt8], _ url: JSONShape<String>) throws(InvalidLinkTestSuite) -> [LinkTest] {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: text, limits: JSONLimits(bytes: text.count))
        } catch {
            throw InvalidLinkTestSuite(
                line: error.position.line, code: "malformed_json",
                detail: "is not valid JSON: \(error.message)")
        }
        let collector = JSONFaultCollector()
        let shape = JSONShape<[LinkTest]>.object { reader in
            reader.required("tests", .array(of: .linkTest(url), max: limit))
        }
        let tests = shape.read(document.root, at: JSONPointer(), collector) ?? []
        if collector.faults.isEmpty {
            addRepetitions(tests.enumerated().map { (JSONPointer(tokens: ["tests", "\($0)"]), $1) }, to: collector)
        }
        guard collector.faults.isEmpty else {
            throw InvalidLinkTestSuite(
                faults: collector.faults.map { InvalidLinkTestSuite.Fault($0, line: document.line(of: $0.pointer)) })
        }
        return tests
    }

    /// Reports tests with the same URL and system as an earlier test. They would repeat or contradict it.
    static func addRepetitions(_ tests: [(pointer: JSONPointer, test: LinkTest)], to collector: JSONFaultCollector) {
        var seen: Set<[UInt8]> = []
        for (pointer, test) in tests where !seen.insert(test.identity).inserted {
            collector.add(pointer, "repeated", "repeats the URL and the system of an earlier test")
        }
    }
}

extension LinkTest {
    /// The identity of a test in a domain: its URL and its system, byte for byte.
    public var identity: [UInt8] { Array((os?.rawValue ?? "").utf8) + [0] + Array(url.utf8) }
}

/// All faults of a suite.
public struct InvalidLinkTestSuite: Error, Hashable, Sendable {
    /// A fault of a suite.
    public struct Fault: Hashable, Sendable {
        /// The line, from 1.
        public let line: Int
        /// The fault and its place. For CSV too, the pointer refers to the suite in JSON, such as `/tests/0/url`.
        public let fault: JSONFault

        init(_ fault: JSONFault, line: Int) {
            self.fault = fault
            self.line = line
        }
    }

    /// The faults, in the order of the file. There is at least one.
    public let faults: [Fault]

    init(faults: [Fault]) { self.faults = faults }

    init(line: Int, code: String, detail: String) {
        faults = [Fault(JSONFault(pointer: JSONPointer(), code: code, detail: detail), line: line)]
    }
}

extension JSONDocument {
    /// The line of the value at a pointer, or of the innermost value that contains it.
    fileprivate func line(of pointer: JSONPointer) -> Int {
        var place: JSONPointer? = pointer
        while let current = place {
            if let position = position(of: current) { return position.line }
            place = current.parent
        }
        return 1
    }
}
