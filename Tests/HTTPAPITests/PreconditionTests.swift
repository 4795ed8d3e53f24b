import HTTPTypes
import Testing

@testable import HTTPAPI

@Suite("Preconditions")
struct PreconditionTests {
    private func request(_ name: HTTPField.Name, _ value: String?) -> HTTPRequest {
        var request = HTTPRequest(method: .put, scheme: nil, authority: nil, path: "/")
        request.headerFields[name] = value
        return request
    }

    @Test(
        "If-Match names a revision; a tag that Waymark did not send matches none",
        arguments: [
            ("\"7\"", 7), ("\"0\"", 0), ("*", nil), ("\"x\"", -1), ("\"\"", -1), ("\"99999999999999999999\"", -1),
            ("\"007\"", -1), ("\"+7\"", -1),
        ] as [(String, Int?)])
    func revision(header: String, revision: Int?) throws {
        #expect(try Preconditions.revision(request(.ifMatch, header)) == revision)
        #expect(try Preconditions.requiredRevision(request(.ifMatch, header)) == revision)
    }

    @Test(
        "an If-Match that is not one strong tag is refused with 400 and the right form",
        arguments: ["7", "W/\"7\"", "\"7", "\"", "", "\"7\", \"8\"", "7\""])
    func malformed(header: String) {
        let error = #expect(throws: APIError.self) { try Preconditions.revision(request(.ifMatch, header)) }
        #expect(error?.status.code == 400)
        #expect(error?.code == "invalid_if_match")
    }

    @Test("without If-Match, a change is refused with 428, and a read is not")
    func missing() throws {
        let error = #expect(throws: APIError.self) { try Preconditions.requiredRevision(request(.ifMatch, nil)) }
        #expect(error?.status.code == 428)
        #expect(try Preconditions.revision(request(.ifMatch, nil)) == nil)
    }

    @Test(
        "If-None-Match matches a tag weakly, in a list, and by an asterisk",
        arguments: [
            ("\"7\"", true), ("W/\"7\"", true), ("*", true), ("\"6\", \"7\"", true), ("\"6\",W/\"7\"", true),
            ("\"77\"", false), ("7", false), ("", false), ("\"6\"", false),
        ])
    func known(header: String, isKnown: Bool) {
        #expect(Preconditions.isKnown("\"7\"", request(.ifNoneMatch, header)) == isKnown)
    }

    @Test("the tag of a revision is the number in quotation marks")
    func tag() { #expect(Preconditions.tag(12) == "\"12\"") }
}
