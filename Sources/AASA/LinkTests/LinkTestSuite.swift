public import StrictJSON

/// Many tests, as a file: in JSON, `{"tests": [{"url": …, "expected": {…}, "os": …, "note": …}]}`, or in CSV under the
/// header `url,expect,app,note`.
public struct LinkTestSuite: Hashable, Sendable {
    /// Tests of a suite, and of a domain, at most.
    public static let limit = 1_000

    /// The tests, in order; no two of them have the same URL and system.
    public let tests: [LinkTest]

    /// A suite of tests that have been read before.
    public init(_ tests: [LinkTest]) { self.tests = tests }

    /// Reads a suite strictly. It is JSON when its first character is `{` or `[`, and else CSV.
    ///
    /// - Parameters:
    ///   - bytes: The file, in UTF-8; a byte order mark before it is passed over.
    ///   - host: The host that URLs have to be on, unless they are relative; nil allows any.
    ///   - inASCII: Writes the host of a URL in ASCII, where people may type it in Unicode.
    /// - Throws: All faults at once, at most ``JSONFaultCollector/limit``, each with its line.
    public init(
        parsing bytes: [UInt8], on host: Host? = nil, inASCII: @escaping (String) -> String = { $0 }
    ) throws(InvalidLinkTestSuite) {
        let url = JSONShape.linkTestURL(on: host, inASCII)
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
            throw InvalidLinkTestSuite(line: 1, code: "not_text", detail: "is not text in UTF-8")
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
                detail: "is not JSON that is accepted: \(error.message)")
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

    /// Two tests of one URL and system would contradict each other, or say the same twice.
    static func addRepetitions(_ tests: [(pointer: JSONPointer, test: LinkTest)], to collector: JSONFaultCollector) {
        var seen: Set<[UInt8]> = []
        for (pointer, test) in tests where !seen.insert(test.identity).inserted {
            collector.add(pointer, "repeated", "is a second test of the same URL and system")
        }
    }
}

extension LinkTest {
    /// What tells tests of a domain apart: the URL and the system, byte for byte.
    public var identity: [UInt8] { Array((os?.rawValue ?? "").utf8) + [0] + Array(url.utf8) }
}

/// Everything that is wrong with a suite.
public struct InvalidLinkTestSuite: Error, Hashable, Sendable {
    /// One thing that is wrong.
    public struct Fault: Hashable, Sendable {
        /// The line, from 1.
        public let line: Int
        /// What is wrong and where. Pointers are those of the suite in JSON, for CSV too: `/tests/0/url`.
        public let fault: JSONFault

        init(_ fault: JSONFault, line: Int) {
            self.fault = fault
            self.line = line
        }
    }

    /// The faults, in the order of the file; at least one.
    public let faults: [Fault]

    init(faults: [Fault]) { self.faults = faults }

    init(line: Int, code: String, detail: String) {
        faults = [Fault(JSONFault(pointer: JSONPointer(), code: code, detail: detail), line: line)]
    }
}

extension JSONDocument {
    /// The line of what a pointer leads to, or of the nearest thing that holds it.
    fileprivate func line(of pointer: JSONPointer) -> Int {
        var place: JSONPointer? = pointer
        while let current = place {
            if let position = position(of: current) { return position.line }
            place = current.parent
        }
        return 1
    }
}
