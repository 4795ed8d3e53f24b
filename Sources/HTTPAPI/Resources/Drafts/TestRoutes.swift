import AASA
import HTTPTypes
import Publishing
import Storage
import StrictJSON

/// `/v1/domains/{host}/tests`: saved URLs with their expected results. The ETag of a test is its own revision.
extension API {
    /// Returns a page of tests. If `format` is given, returns all tests as a file that can be imported.
    func listTests(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        if let format = try call.suiteFormat() {
            let tests = try await read(as: member) { try $0.allTests(host) }
            return .file(LinkTestSuite(tests.map(\.test)), as: format, of: host)
        }
        let page = try call.page()
        let tests = try await read(as: member) { try $0.tests(host, page) }
        return call.list(tests, \.json)
    }

    func createTest(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let test = try LinkTest(json: call.json(), on: host, inASCII: TypedURL.inASCII(_:))
        let saved = try await unlessTaken(member) {
            try await write(as: member) { try $0.createTest(test, of: host) }
        } existing: {
            try $0.address(of: test.url, test.os, host)
        }
        return .created(saved.json, at: "/v1/domains/\(host)/tests/\(saved.id)").tagged(saved.revision)
    }

    func showTest(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.testID()
        let saved = try await read(as: member) { try $0.test(id, of: host) }
        return call.unlessKnown(saved.revision) { .json(saved.json) }
    }

    func changeTest(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.testID()
        let revision = try Preconditions.requiredRevision(call.request)
        let patch = try LinkTestPatch(json: call.json(), on: host, inASCII: TypedURL.inASCII(_:))
        let saved = try await unlessTaken(member) {
            try await write(as: member) { tenant in
                try tenant.updateTest(id, of: host, expecting: revision) { $0.applying(patch) }
            }
        } existing: {
            let wanted = try $0.test(id, of: host).test.applying(patch)
            return try $0.address(of: wanted.url, wanted.os, host)
        }
        return .json(saved.json).tagged(saved.revision)
    }

    func deleteTest(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.testID()
        let revision = try Preconditions.requiredRevision(call.request)
        try await write(as: member) {
            try $0.deleteTest(id, of: host, expecting: revision)
        }
        return .noContent
    }

    /// Adds a suite to the tests, or replaces the tests with it. The body is JSON or CSV, depending on its first
    /// character.
    func importTests(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let replaces = try call.flag("replace")
        try MediaType.require(MediaType.suite, of: call.request)
        let suite = try LinkTestSuite(parsing: call.body, on: host, inASCII: TypedURL.inASCII(_:))
        let result = try await write(as: member) {
            try $0.importTests(suite, of: host, replacing: replaces)
        }
        return .json(result.json)
    }

    func runTests(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let asked = try call.decode { reader in
            .some(
                (
                    source: reader.optional("source", .source, default: .draft),
                    os: reader.optional("os", .choice(of: SystemVersion.self), default: .latest)
                ))
        }
        let (tests, subject) = try await read(as: member) { tenant in
            (try tenant.allTests(host), try Subject(asked.source, of: host, in: tenant))
        }
        let results = SavedTest.run(tests, against: subject.file.association, on: host, os: asked.os)
        let passed = results.count { $0.result.passed }
        return .json([
            "source": asked.source.json, "os": .string(asked.os.rawValue), "total": .int(results.count),
            "passed": .int(passed), "failed": .int(results.count - passed),
            "results": .array(results.map { $0.json(draft: subject.draft) }),
        ])
    }
}

extension TenantTransaction {
    /// The address of the domain's test with this URL and system, or `nil` if the domain has no such test.
    fileprivate func address(of url: String, _ os: SystemVersion?, _ host: Host) throws -> String? {
        try allTests(host).first { $0.test.url == url && $0.test.os == os }.map {
            "/v1/domains/\(host)/tests/\($0.id)"
        }
    }
}

/// The file formats of a suite.
private enum SuiteFormat: String, CaseIterable {
    case csv
    case json
}

extension Answer {
    /// The suite as a download. The file name contains the host.
    fileprivate static func file(_ suite: LinkTestSuite, as format: SuiteFormat, of host: Host) -> Answer {
        let (type, body) =
            switch format {
            case .csv: ("text/csv; charset=utf-8", suite.csv)
            case .json: ("application/json", suite.json.bytes(.pretty) + [0x0A])
            }
        return Answer(.ok, fields: [.contentType: type, .cacheControl: "no-store"], body: body)
            .with(.contentDisposition, "attachment; filename=\"\(host).tests.\(format.rawValue)\"")
    }
}

extension SavedTest {
    var json: JSONValue {
        var object = JSONObject([("id", .string(id.description)), ("revision", .int(revision))])
        for member in test.json.object?.members ?? [] { object[member.name] = member.value }
        object["createdAt"] = .time(createdAt)
        object["updatedAt"] = .time(updatedAt)
        return .object(object)
    }
}

extension SavedTestResult {
    /// The result as JSON. If `draft` is given, it also contains the ID of the rule that decided.
    fileprivate func json(draft: Draft?) -> JSONValue {
        guard let draft, var object = json.object else { return json }
        object["rule"] = .text(result.decidedBy.flatMap { draft.place(at: $0)?.rule?.id })
        return .object(object)
    }
}

extension TestImport {
    fileprivate var json: JSONValue {
        [
            "added": .int(added), "changed": .int(changed), "removed": .int(removed), "unchanged": .int(unchanged),
            "total": .int(total),
        ]
    }
}

extension Call {
    fileprivate func testID() throws -> ID<SavedTest> { try id("test") }

    fileprivate func suiteFormat() throws -> SuiteFormat? {
        guard let text = query("format") else { return nil }
        guard let format = SuiteFormat(rawValue: text) else {
            throw APIError.invalidParameter("format", "must be csv or json")
        }
        return format
    }
}
