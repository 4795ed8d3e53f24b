public import StrictJSON

extension LinkTest {
    /// Reads a test strictly: `url`, `expected`, and where given `os` and `note`.
    ///
    /// - Parameters:
    ///   - json: The test.
    ///   - host: The host that its URL has to be on, unless it is relative; nil allows any.
    ///   - inASCII: Writes the host of a URL in ASCII, where people may type it in Unicode.
    /// - Throws: All faults at once.
    public init(
        json: JSONValue, on host: Host?, inASCII: @escaping (String) -> String = { $0 }
    ) throws(JSONFaults) {
        self = try JSONShape.linkTest(.linkTestURL(on: host, inASCII)).decode(json)
    }

    /// The test as a suite holds it: `url`, `expected`, `os`, `note`.
    public var json: JSONValue {
        [
            "url": .string(url), "expected": expected.json, "os": os.map { .string($0.rawValue) } ?? .null,
            "note": .string(note),
        ]
    }
}

extension LinkTest.Expectation {
    /// `{"outcome": "opens", "app": "…"}`, `{"outcome": "excluded"}` or `{"outcome": "none"}`.
    public var json: JSONValue {
        var object = JSONObject([("outcome", .string(outcome.rawValue))])
        if let app { object["app"] = .string(app.description) }
        return .object(object)
    }
}

/// A partial change of a test: what is absent stays.
public struct LinkTestPatch: Hashable, Sendable {
    /// The new URL; nil keeps it.
    public let url: String?
    /// The new expectation; nil keeps it.
    public let expected: LinkTest.Expectation?
    /// What becomes of the system.
    public let os: Change<SystemVersion>
    /// The new note; nil keeps it.
    public let note: String?

    /// Reads a patch strictly: the keys of a test; `os` can be cleared by null.
    ///
    /// - Parameters:
    ///   - json: The patch.
    ///   - host: The host that a new URL has to be on, unless it is relative.
    ///   - inASCII: Writes the host of a URL in ASCII, where people may type it in Unicode.
    /// - Throws: All faults at once.
    public init(
        json: JSONValue, on host: Host?, inASCII: @escaping (String) -> String = { $0 }
    ) throws(JSONFaults) {
        self = try JSONObjectReader.decode(json) { reader in
            LinkTestPatch(
                url: reader.replacement("url", .linkTestURL(on: host, inASCII)),
                expected: reader.replacement("expected", .expectation),
                os: reader.change("os", .choice(of: SystemVersion.self)),
                note: reader.replacement("note", .note))
        }
    }

    private init(url: String?, expected: LinkTest.Expectation?, os: Change<SystemVersion>, note: String?) {
        self.url = url
        self.expected = expected
        self.os = os
        self.note = note
    }
}

extension LinkTest {
    /// The test after a change.
    public func applying(_ patch: LinkTestPatch) -> LinkTest {
        LinkTest(
            url: patch.url ?? url, expected: patch.expected ?? expected, os: patch.os.applied(to: os),
            note: patch.note ?? note)
    }
}

extension JSONShape where Value == LinkTest {
    /// A test whose URL has a shape.
    static func linkTest(_ url: JSONShape<String>) -> JSONShape<LinkTest> {
        .object { reader in
            let url = reader.required("url", url)
            let expected = reader.required("expected", .expectation)
            let os = reader.optional("os", .choice(of: SystemVersion.self))
            let note = reader.optional("note", .note, default: "")
            guard let url, let expected else { return nil }
            return LinkTest(url: url, expected: expected, os: os, note: note)
        }
    }
}

extension JSONShape where Value == String {
    /// A test's note, in one line or several. Tables have tabs.
    fileprivate static var note: JSONShape<String> {
        .plainText(max: LinkTest.noteLimit, besides: ["\n", "\r", "\t"])
    }

    /// A test's URL on a host, as `inASCII` writes it.
    static func linkTestURL(on host: Host?, _ inASCII: @escaping (String) -> String) -> JSONShape<String> {
        JSONShape<String>.text(min: 1, max: LinkTest.urlLimit).then { typed throws(InvalidLinkTest) in
            let url = inASCII(typed)
            try LinkTest.checkURL(url, on: host)
            return url
        }
    }
}

extension JSONShape where Value == LinkTest.Expectation {
    /// An expectation; `app` belongs to `opens` and to nothing else.
    static var expectation: JSONShape<LinkTest.Expectation> {
        .object { reader in
            let outcome = reader.required("outcome", .choice(of: Evaluation.Outcome.self))
            if outcome == .opens { return reader.required("app", .text(as: AppID.init)).map { .opens($0) } }
            if reader.has("app"), outcome != nil {
                reader.fault("app", "not_applicable", "belongs to the outcome \"opens\" alone")
            }
            return outcome.map { $0 == .excluded ? .excluded : .none }
        }
    }
}
