import ProblemDetails
import StrictJSON
import Testing

@Suite("Problem details")
struct ProblemDetailsTests {
    private func text(_ problem: ProblemDetails) -> String { String(decoding: problem.bytes(), as: UTF8.self) }

    @Test("a problem has the members of RFC 9457 and its code")
    func members() {
        let problem = ProblemDetails(status: 404, title: "Not Found", code: "not_found", detail: "No \"x\" here.")
        #expect(
            text(problem)
                == #"{"type":"urn:waymark:problem:not_found","title":"Not Found","status":404,"code":"not_found","#
                + #""detail":"No \"x\" here."}"#)
    }

    @Test("extension members follow in order, and the last value for a name counts")
    func extensions() {
        var problem = ProblemDetails(status: 409, title: "Conflict", code: "in_use", detail: "In use.")
        problem.set("requestId", "1")
        problem.set("where", ["a.example"])
        problem.set("requestId", "2")
        #expect(text(problem).hasSuffix(#""detail":"In use.","requestId":"2","where":["a.example"]}"#))
    }
}
