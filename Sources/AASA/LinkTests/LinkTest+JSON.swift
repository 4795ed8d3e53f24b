public import StrictJSON

extension LinkTest {
    /// Reads a test from JSON: `url`, `expected`, and optionally `os` and `note`. Rejects unknown keys.
    ///
    /// - Parameters:
    ///   - json: The test.
    ///   - host: The required host of an absolute URL, or `nil` for any host.
    ///   - inASCII: Converts the host of a URL to ASCII, if users may enter it in Unicode.
    /// - Throws: ``JSONFaults`` with all faults.
    public init(
        json: JSONValue, on host: Host?, inASCII: @escaping (String) -> String = { $0 }
    ) throws(JSONFaults) {
        self = try JSONShape.linkTest(.linkTestURL(on: host, inASCII)).decode(json)
    }

    /// The test in the JSON of a suite: `url`, `expected`, `os`, `note`.
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

/// A partial change of a test. An absent key keeps its value.
public struct LinkTestPatch: Hashable, Sendable {
    /// The new URL, or `nil` to keep the current one.
    public let url: String?
    /// The new expectation, or `nil` to keep the current one.
    public let expected: LinkTest.Expectation?
    /// The change of the system.
    public let os: Change<SystemVersion>
    /// The new note, or `nil` to keep the current one.
    public let note: String?

    /// Reads a patch from JSON. The keys are those of a test. `null` clears `os`. Rejects unknown keys.
    ///
    /// - Parameters:
    ///   - json: The patch.
    ///   - host: The required host of a new absolute URL, or `nil` for any host.
    ///   - inASCII: Converts the host of a URL to ASCII, if users may enter it in Unicode.
    /// - Throws: ``JSONFaults`` with all faults.
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
    /// Returns the test with the patch applied.
    public func applying(_ patch: LinkTestPatch) -> LinkTest {
        LinkTest(
            url: patch.url ?? url, expected: patch.expected ?? expected, os: patch.os.applied(to: os),
            note: patch.note ?? note)
    }
}

extension JSONShape where Value == LinkTest {
    /// A test. `url` is the shape of its URL.
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
    /// A test's note, with one or more lines. Notes from spreadsheets can contain tabs.
    fileprivate static var note: JSONShape<String> {
        .plainText(max: LinkTest.noteLimit, besides: ["\n", "\r", "\t"])
    }

    /// A test's URL on a host, converted with `inASCII`.
    static func linkTestURL(on host: Host?, _ inASCII: @escaping (String) -> String) -> JSONShape<String> {
        JSONShape<String>.text(min: 1, max: LinkTest.urlLimit).then { typed throws(InvalidLinkTest) in
            let url = inASCII(typed)
            try LinkTest.checkURL(url, on: host)
            return url
        }
    }
}

extension JSONShape where Value == LinkTest.Expectation {
    /// An expectation. Only `opens` has an `app`.
    static var expectation: JSONShape<LinkTest.Expectation> {
        .object { reader in
            let outcome = reader.required("outcome", .choice(of: Evaluation.Outcome.self))
            if outcome == .opens { return reader.required("app", .text(as: AppID.init)).map { .opens($0) } }
            if reader.has("app"), outcome != nil {
                reader.fault("app", "not_applicable", "is allowed only with the outcome \"opens\"")
            }
            return outcome.map { $0 == .excluded ? .excluded : .none }
        }
    }
}
