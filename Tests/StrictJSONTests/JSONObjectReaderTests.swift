import StrictJSON
import Testing

@Suite struct JSONObjectReaderTests {
    private enum Kind: String, CaseIterable { case app, appClip }

    private struct NotEven: JSONFaultReason {
        let code = "not_even"
        let detail = "must be even"
    }

    private struct Thing: Equatable {
        var name: String
        var rank: Int?
        var kind: Kind
        var tags: [String]
        var inner: Int?
    }

    private func read(_ json: JSONValue, at pointer: JSONPointer = JSONPointer()) throws(JSONFaults) -> Thing {
        try JSONObjectReader.decode(json, at: pointer) { reader in
            let name = reader.required("name", .text(min: 1, max: 5))
            let even = JSONShape<Int>.int(in: 1...10).then { number throws(NotEven) in
                guard number.isMultiple(of: 2) else { throw NotEven() }
                return number
            }
            let rank = reader.optional("rank", even)
            let kind = reader.optional("kind", .choice(of: Kind.self), default: .app)
            let tags = reader.optional("tags", .array(of: .text(), max: 3), default: [])
            let inner = reader.optional("inner", .object { $0.required("value", .int()) })
            return name.map { Thing(name: $0, rank: rank, kind: kind, tags: tags, inner: inner) }
        }
    }

    private func faults(_ json: JSONValue, at pointer: JSONPointer = JSONPointer()) -> [String] {
        do {
            _ = try read(json, at: pointer)
            return []
        } catch {
            return error.faults.map { "\($0.pointer) \($0.code)" }
        }
    }

    @Test("a valid document is read")
    func right() throws {
        let json: JSONValue = ["name": "a", "rank": 4, "kind": "appClip", "tags": ["x"], "inner": ["value": -1]]
        #expect(try read(json) == Thing(name: "a", rank: 4, kind: .appClip, tags: ["x"], inner: -1))
        #expect(try read(["name": "b", "rank": nil]) == Thing(name: "b", rank: nil, kind: .app, tags: [], inner: nil))
    }

    @Test("all faults are reported at once, each with its pointer")
    func allAtOnce() {
        let json: JSONValue = [
            "rank": 3, "kind": "clip", "tags": ["x", 1, nil], "inner": ["valu": 1], "Name": "x",
        ]
        #expect(
            faults(json, at: JSONPointer(tokens: ["body"])) == [
                "/body/name required", "/body/rank not_even", "/body/kind invalid_choice", "/body/tags/1 wrong_type",
                "/body/tags/2 wrong_type", "/body/inner/value required", "/body/inner/valu unknown_key",
                "/body/Name unknown_key",
            ])
    }

    @Test(
        "each kind of fault has its code",
        arguments: [
            (["name": 1], "/name wrong_type"), (["name": nil], "/name wrong_type"), (["name": ""], "/name too_short"),
            (["name": "abcdef"], "/name too_long"), (["name": "a", "rank": 0], "/rank out_of_range"),
            (["name": "a", "rank": 12], "/rank out_of_range"), (["name": "a", "rank": "4"], "/rank wrong_type"),
            (["name": "a", "kind": nil], "/kind wrong_type"),
            (["name": "a", "tags": ["1", "2", "3", "4"]], "/tags too_many"),
            (["name": "a", "tags": [:]], "/tags wrong_type"), (["name": "a", "inner": []], "/inner wrong_type"),
            ([], " wrong_type"), ("x", " wrong_type"),
        ] as [(JSONValue, String)])
    func codes(json: JSONValue, fault: String) { #expect(faults(json) == [fault]) }

    @Test("a number too large for an integer is out of range, and one with a fraction has the wrong type")
    func numbers() throws {
        let large = try JSONDocument(parsing: Array(#"{"name":"a","rank":1e30}"#.utf8)).root
        #expect(faults(large) == ["/rank out_of_range"])
        let fraction = try JSONDocument(parsing: Array(#"{"name":"a","rank":2.5}"#.utf8)).root
        #expect(faults(fraction) == ["/rank wrong_type"])
    }

    @Test(
        "the fault for an unknown key names a similar known key",
        arguments: [
            ("Name", "name"), ("nmae", "name"), ("knd", "kind"), ("innner", "inner"), ("colour", nil), ("x", nil),
            ("nxxe", nil), ("inxxr", "inner"),
            ("ixxxr", nil),
        ]
            as [(String, String?)])
    func hints(key: String, meant: String?) {
        let error = #expect(throws: JSONFaults.self) {
            try self.read(.object(JSONObject([("name", "a"), (key, 1)])))
        }
        let detail = error?.faults.first?.detail ?? ""
        #expect(detail.contains("did you mean") == (meant != nil))
        if let meant { #expect(detail.contains("\"\(meant)\"?")) }
    }

    @Test("a partial update distinguishes absent, null and set fields")
    func changes() throws {
        typealias Result = (Change<String>, Change<String>, Change<String>, Int?)
        let result: Result = try JSONObjectReader.decode(["b": nil, "c": "x", "n": 3]) { reader in
            (
                reader.change("a", .text()), reader.change("b", .text()), reader.change("c", .text()),
                reader.replacement("n", .int())
            )
        }
        #expect(result.0 == .keep)
        #expect(result.1 == .clear)
        #expect(result.2 == .set("x"))
        #expect(result.3 == 3)
        #expect(result.0.applied(to: "old") == "old")
        #expect(result.1.applied(to: "old") == nil)
        #expect(result.2.applied(to: "old") == "x")
        #expect(result.1.applied(to: "old", clearedTo: "none") == "none")
        let faults = #expect(throws: JSONFaults.self) {
            try JSONObjectReader.decode(["n": nil, "c": 1]) { reader -> Bool? in
                _ = reader.replacement("n", .int())
                return reader.change("c", .text()) == .keep
            }
        }
        #expect(faults?.faults.map(\.code) == ["not_nullable", "wrong_type"])
    }

    @Test("a hostile document gives no more faults than the limit")
    func limit() {
        let json: JSONValue = .array(Array(repeating: 1, count: 5_000))
        let faults = #expect(throws: JSONFaults.self) { try JSONShape<[String]>.array(of: .text()).decode(json) }
        #expect(faults?.faults.count == JSONFaultCollector.limit)
        let keys: JSONValue = .object(JSONObject((0..<5_000).map { ("key\($0)", 1) }))
        let unknown = #expect(throws: JSONFaults.self) { try JSONShape<Bool>.object { _ in true }.decode(keys) }
        #expect(unknown?.faults.count == JSONFaultCollector.limit)
    }
}
