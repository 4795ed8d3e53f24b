import HTTPTypes
import Storage
import TestSupport
import Testing

@testable import HTTPAPI

/// A browser sends the cookie with every request, whichever site's page makes it.
@Suite("Requests from other sites")
struct SameOriginTests {
    @Test("with a cookie, every route that changes something refuses pages of other sites")
    func everyRoute() async throws {
        try await withInstallation { installation in
            let cookie = "waymark=\(try await installation.signIn(.owner).text)"
            let foreign: [[String: String]] = [
                [:], ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
                ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"],
                ["Origin": "http://localhost.evil.example"],
                ["Origin": "http://localhost:81"], ["Origin": ""],
                ["Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"],
                ["Origin": "https://localhost"], ["Origin": "ftp://localhost"], ["Origin": "evil, http://localhost"],
                ["Origin": "http://localhost, http://localhost"], ["Origin": "http://localhost/"],
                ["Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"],
                ["Origin": "http://localhost", "Sec-Fetch-Site": "same-site"],
            ]
            var routes = 0
            for route in installation.api.api.routes where ![.get, .head].contains(route.method) {
                switch route.handler {
                case .probe, .anyone, .arrival, .exchange, .consumer: continue
                case .caller, .member: routes += 1
                }
                for fields in foreign {
                    let reply = try await installation.api.ask(
                        route.method, route.path, fields: fields.merging(["Cookie": cookie]) { $1 })
                    #expect((reply.status, reply.code) == (403, "cross_origin"), "\(route.path) \(fields)")
                }
            }
            #expect(routes > 15)
        }
    }

    @Test("our own pages can make changes, and reads need no origin")
    func own() async throws {
        try await withInstallation { installation in
            let cookie = "waymark=\(try await installation.signIn(.owner).text)"
            let body = #"{"teamID":"ABCDE12345","name":"a"}"#
            #expect(
                try await installation.api.ask(
                    .post, "/v1/teams", body: body, fields: ["Cookie": cookie, "Origin": "http://localhost"]
                ).status == 201)
            #expect(
                try await installation.api.ask(
                    .delete, "/v1/teams/ABCDE12345", fields: ["Cookie": cookie, "Sec-Fetch-Site": "same-origin"]
                ).status == 204)
            #expect(
                try await installation.api.ask(
                    .get, "/v1/teams", fields: ["Cookie": cookie, "Origin": "https://evil.example"]
                ).status == 200)
        }
    }

    @Test("with a public address, every route answers only under that host, except for internal routes")
    func hosts() async throws {
        try await withInstallation { installation in
            let api = try APIUnderTest(store: installation.store, publicURL: "https://links.example.com")
            for route in api.api.routes {
                for host in ["localhost", "links.example.com:80", "links.example.com.evil.example", "evil.example"] {
                    let status = try await api.ask(route.method, route.path, authority: host).status
                    switch route.handler {
                    case .probe: #expect(status == 200)
                    case .consumer: #expect(status == 401)
                    case .anyone, .arrival, .exchange, .caller, .member:
                        #expect(status == 421, "\(route.path) at \(host)")
                    }
                }
            }
            let token = try installation.token(.viewer)
            for host in ["links.example.com", "LINKS.example.com:443"] {
                #expect(try await api.ask(.get, "/v1/teams", token: token, authority: host).status == 200)
            }
        }
    }

    @Test(
        "a text with more or less than a scheme, a host and a port is not an origin",
        arguments: [
            "", "null", "localhost", "http:localhost", "//localhost", "http://", "http://:80", "http://a b",
            "http://a/", "http://a, http://a", "http://u@a", "http://a:0", "http://a:65536", "http://a:x", "HTTP://a",
            "ftp://a", "http://ä", "http://a:80:80", "http://a#", "http://a?",
        ])
    func malformed(text: String) {
        #expect(Origin(text) == nil)
    }

    @Test("origins are equal if scheme, host and port are; the default port can be left out")
    func equality() {
        #expect(Origin("https://a.example") == Origin("https://A.example:443"))
        #expect(Origin("http://a.example") == Origin("http://a.example.:80"))
        #expect(Origin("http://[::1]") == Origin("http://[::1]:80"))
        #expect(Origin("http://a.example") != Origin("https://a.example"))
        #expect(Origin("http://a.example") != Origin("http://a.example:443"))
        #expect(Origin("http://a.example") != Origin("http://b.example"))
    }

    @Test("a token needs no origin, because browsers do not send it automatically")
    func tokens() async throws {
        try await withInstallation { installation in
            let reply = try await installation.api.ask(
                .post, "/v1/teams", token: installation.token(.editor), body: #"{"teamID":"ABCDE12345","name":"a"}"#,
                fields: ["Origin": "https://elsewhere.example"])
            #expect(reply.status == 201)
        }
    }

    @Test("signing in from a page of another site is refused and does not use up the code")
    func signIn() async throws {
        try await withInstallation { installation in
            let code = try await installation.store.write { installation in
                try installation.createSignInCode(
                    for: installation.ensureUser(email: "ada@example.com", name: "Ada"), seconds: 60)
            }
            let body = #"{"code":"\#(code.text)"}"#
            let foreign = try await installation.api.ask(
                .post, "/v1/session", body: body, fields: ["Origin": "https://evil.example"])
            #expect((foreign.status, foreign.code) == (403, "cross_origin"))
            let own = try await installation.api.ask(
                .post, "/v1/session", body: body, fields: ["Origin": "http://localhost"])
            #expect(own.status == 200)
            #expect(own["Set-Cookie"]?.hasPrefix("waymark=") == true)
            let again = try await installation.api.ask(.post, "/v1/session", body: body)
            #expect((again.status, again.code) == (401, "invalid_code"))
        }
    }

    @Test("signing out ends the session and clears the cookie")
    func signOut() async throws {
        try await withInstallation { installation in
            let fields = [
                "Cookie": "waymark=\(try await installation.signIn(.viewer).text)", "Origin": "http://localhost",
            ]
            let reply = try await installation.api.ask(.delete, "/v1/session", fields: fields)
            #expect(reply.status == 204)
            #expect(reply["Set-Cookie"]?.contains("Max-Age=0") == true)
            #expect(try await installation.api.ask(.get, "/v1/me", fields: fields).status == 401)
        }
    }
}
