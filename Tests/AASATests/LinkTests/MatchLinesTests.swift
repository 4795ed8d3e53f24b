import AASA
import StrictJSON
import Testing

@Suite struct MatchLinesTests {
    private func answers(_ input: String, cutEvery size: Int = .max) -> [String] {
        var lines = MatchLines()
        var rest = Array(input.utf8)[...]
        var output: [UInt8] = []
        while !rest.isEmpty {
            output += lines.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        output += lines.end()
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static let file =
        #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":"/no","exclude":true},{"/":"/a*"}]}]}}"#

    private func question(_ id: String, _ url: String, aasa: String = file) -> String {
        #"{"id":\#(id),"aasa":\#(aasa),"domain":"example.com","appId":"ABCDE12345.a","url":"\#(url)"}"#
    }

    @Test("each line gets its decision, in order, even if the input arrives in pieces", arguments: [1, 7, .max])
    func decisions(size: Int) {
        let input = [
            question("0", "https://example.com/a"), question("\"x\"", "https://example.com/no"), "", " \r",
            question("[1]", "https://example.com/b"), question("null", "https://other.example/a"),
            question("2", "/a"), question("3", "ftp://example.com/a"),
        ].joined(separator: "\n")
        #expect(
            answers(input, cutEvery: size) == [
                #"{"id":0,"decision":"match"}"#, #"{"id":"x","decision":"exclude"}"#,
                #"{"id":[1],"decision":"no_match"}"#, #"{"id":null,"decision":"no_match"}"#,
                #"{"id":2,"decision":"match"}"#, #"{"id":3,"decision":"no_match"}"#,
            ])
    }

    @Test("the file can be given as a string, and an app that is not in it matches nothing")
    func texts() {
        let text = String(decoding: JSONValue.string(Self.file).bytes(), as: UTF8.self)
        #expect(answers(question("1", "/a", aasa: text)) == [#"{"id":1,"decision":"match"}"#])
        let other = question("1", "/a").replacing("appId\":\"ABCDE12345.a", with: "appId\":\"ABCDE12345.b")
        #expect(answers(other) == [#"{"id":1,"decision":"no_match"}"#])
    }

    @Test("an invalid line gives an error, and the run continues")
    func errors() throws {
        let bad = [
            "{", "7", #"{"aasa":{}}"#, #"{"id":1}"#, #"{"id":2,"domain":"a.b","appId":"x","url":"/"}"#,
            #"{"id":3,"domain":"a.b","appId":"x","url":"/","aasa":"{"}"#,
            #"{"id":4,"domain":"a.b","appId":5,"url":"/","aasa":{}}"#,
        ]
        let found = try answers((bad + [question("9", "/a")]).joined(separator: "\n")).map {
            try JSONDocument(parsing: Array($0.utf8)).root
        }
        #expect(found.map { $0["id"] } == [.null, .null, .null, 1, 2, 3, 4, 9])
        #expect(found.dropLast().allSatisfy { $0["error"]?.string?.isEmpty == false })
        #expect(found.last == ["id": 9, "decision": "match"])
    }

    @Test("a line above the limit gives an error, and the next one is read")
    func tooLong() {
        var lines = MatchLines()
        let long = [UInt8](repeating: 0x20, count: MatchLines.maximumLength + 1) + [0x0A]
        let error = String(decoding: lines.read(long), as: UTF8.self)
        #expect(error == "{\"id\":null,\"error\":\"The line has more than 4194304 bytes.\"}\n")
        let next = lines.read(Array(question("1", "/a").utf8) + [0x0A])
        #expect(String(decoding: next, as: UTF8.self) == "{\"id\":1,\"decision\":\"match\"}\n")
        let exact = [UInt8](repeating: 0x20, count: MatchLines.maximumLength) + [0x0A]
        #expect(lines.read(exact).isEmpty)
    }

    @Test("every pattern case has the same decision through lines")
    func cases() throws {
        for conformance in try ConformanceCase.all() where conformance.json["os"]?.string != "9-12 only" {
            for app in conformance.json["expected"]?["per_app"]?.object?.members ?? [] {
                let url = conformance.json["url"]?.string ?? ""
                let question: JSONValue = [
                    "id": 1, "aasa": conformance.json["aasa"] ?? .null, "domain": conformance.json["domain"] ?? .null,
                    "appId": .string(app.name), "url": .string(url),
                ]
                let wanted = app.value.string == "none" ? "no_match" : app.value.string ?? "?"
                let answer = MatchLines.answer(to: question.bytes())
                let name = conformance.json["id"]?.string ?? "?"
                #expect(String(decoding: answer, as: UTF8.self) == "{\"id\":1,\"decision\":\"\(wanted)\"}\n", "\(name)")
            }
        }
    }
}
