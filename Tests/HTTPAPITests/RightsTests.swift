import AASA
import HTTPTypes
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import HTTPAPI

/// Every route with every role, from the route table.
@Suite("Rights", .timeLimit(.minutes(3)))
struct RightsTests {
    /// A path of the route that names things that do not exist.
    private func path(_ route: Route) -> String {
        route.path.replacing("{host}", with: "absent.example.com").replacing("{teamID}", with: "ABCDE12345")
            .replacing("{appID}", with: "ABCDE12345.com.example").replacing("{number}", with: "7")
            .replacing("{id}", with: "00000000-0000-4000-8000-000000000000")
            .replacing("{sha256}", with: String(repeating: "0", count: 64))
    }

    /// A valid body for the route, so that the named things are looked up.
    private func body(_ route: Route) -> String {
        switch (route.method, route.path.split(separator: "/").last.map(String.init)) {
        case (.put, "draft"), (.patch, _): "{}"
        case (.post, "resets"): #"{"version":1}"#
        case (.post, "rules"): #"{"path":"/a"}"#
        case (.post, "import"): #"{"applinks":{}}"#
        case (.post, "evaluations"): #"{"urls":["https://absent.example.com/"]}"#
        case (.post, "verifications"): #"{"method":"local"}"#
        case (.post, "replacements"): #"{"with":"ABCDE12345.com.other"}"#
        case (.post, "rollbacks"), (.post, "rotations"), (.post, "confirmations"), (.put, "password"): "{}"
        case (.post, "invitations"): #"{"email":"grace@example.com","role":"viewer"}"#
        case (.post, "approval-policies"): #"{"approvals":1}"#
        case (.post, "approval-requests"): #"{"label":"none","message":"why"}"#
        case (.post, "comments"): #"{"text":"why?"}"#
        case (.post, "approvals"): "{}"
        case (.post, "rejections"): #"{"reason":"no"}"#
        case (.post, "tokens"): #"{"name":"ci","role":"viewer"}"#
        case (.put, "sign-in-provider"): #"{"issuer":"https://id.waymark-tests.invalid","clientId":"c"}"#
        case (.post, "identity-connections"): #"{"organization":"none"}"#
        case (.post, "passkeys"): #"{"name":"key","clientDataJSON":"e30","authenticatorData":"e30"}"#
        case (.post, "withdrawals"): #"{"reason":"over"}"#
        case (.post, "tests"): #"{"url":"/a","expected":{"outcome":"none"}}"#
        case (.post, "test-imports"): #"{"tests":[]}"#
        case (.post, "versions"), (.post, "publications"), (.post, "publication-previews"),
            (.post, "publication-checks"),
            (.post, "test-runs"):
            "{}"
        default: ""
        }
    }

    /// The fields that a page of ours sends in a session.
    private func cookie(_ session: Secret?) -> [String: String] {
        session.map { ["Cookie": "waymark=\($0.text)", "Sec-Fetch-Site": "same-origin"] } ?? [:]
    }

    @Test("a route answers 401 without a credential, 403 to lower roles, and neither to its own role and higher ones")
    func roles() async throws {
        try await withInstallation { installation in
            for route in installation.api.api.routes {
                guard case .member(let needed, _) = route.handler else { continue }
                let name = "\(route.method) \(route.path)"
                let nobody = try await installation.api.ask(route.method, path(route))
                #expect((nobody.status, nobody.code) == (401, "unauthenticated"), "\(name)")
                #expect(nobody["WWW-Authenticate"] == "Bearer", "\(name)")
                for role in Role.allCases {
                    let session = route.needsSession ? try await installation.signIn(role) : nil
                    let reply = try await installation.api.ask(
                        route.method, path(route), token: session == nil ? installation.token(role) : nil,
                        body: body(route), fields: ["If-Match": "*"].merging(cookie(session)) { $1 })
                    if role < needed {
                        #expect((reply.status, reply.code) == (403, "forbidden"), "\(name) as \(role)")
                    } else {
                        #expect(![401, 403, 405].contains(reply.status), "\(name) as \(role): \(reply.text)")
                        #expect(reply.status < 500, "\(name) as \(role): \(reply.text)")
                    }
                }
            }
        }
    }

    @Test("a limited role changes no domain outside its limit and nothing else, unless the handler checks it")
    func limitedRoles() async throws {
        try await withInstallation { installation in
            try await installation.store.write(as: installation.organization, by: .system) { tenant in
                _ = try tenant.createDomain(.init("absent.example.com"), labels: ["theirs"])
            }
            let token = try await installation.store.write(as: installation.organization, by: .system) { tenant in
                try tenant.createToken(name: "limited", role: .publisher, labels: ["mine"]).secret
            }
            var handled: [String] = []
            for route in installation.api.api.routes where route.mayChange && !route.needsSession {
                guard case .member(let needed, _) = route.handler, needed <= .publisher else { continue }
                let reply = try await installation.api.ask(
                    route.method, path(route), token: token, body: body(route), fields: ["If-Match": "*"])
                if route.reach == .handler { handled.append("\(route.method) \(route.path)") }
                if route.reach != .handler || route.path.contains("{host}") {
                    #expect((reply.status, reply.code) == (403, "role_is_limited"), "\(route.method) \(route.path)")
                }
            }
            // Tests/EndToEnd/access/test_limited_roles.py covers these.
            #expect(
                handled.sorted() == [
                    "DELETE /v1/approval-requests/{id}", "DELETE /v1/freezes/{id}", "DELETE /v1/releases/{id}",
                    "DELETE /v1/schedules/{id}", "PATCH /v1/schedules/{id}", "POST /v1/approval-requests",
                    "POST /v1/approval-requests/{id}/comments", "POST /v1/domains/{host}/import", "POST /v1/freezes",
                    "POST /v1/releases", "POST /v1/releases/{id}/rollbacks", "POST /v1/schedules",
                    "POST /v1/schedules/{id}/runs",
                ])
        }
    }

    @Test("a token, even of an owner, cannot use the routes for people")
    func people() async throws {
        try await withInstallation { installation in
            let routes = installation.api.api.routes.filter(\.needsSession)
            #expect(routes.count == 40)
            for route in routes {
                let reply = try await installation.api.ask(
                    route.method, path(route), token: installation.token(.owner), body: body(route))
                #expect((reply.status, reply.code) == (403, "session_required"), "\(route.method) \(route.path)")
            }
        }
    }

    @Test("things of another organization get the same answer as things that do not exist")
    func foreign() async throws {
        try await withInstallation { installation in
            let other = try await installation.another("other")
            try await installation.store.write(as: other.organization, by: .system) { tenant in
                _ = try tenant.createTeam(.init("ABCDE12345"), name: "theirs")
                _ = try tenant.createDomain(.init("absent.example.com"), labels: ["theirs"])
            }
            let empty = try await installation.another("empty")
            let session = try await installation.signIn(.owner, in: empty.organization)
            for route in installation.api.api.routes where route.path.contains("{") {
                guard case .member = route.handler else { continue }
                let fields = ["If-Match": "*", "Request-Id": "same"]
                let reply = try await installation.api.ask(
                    route.method, path(route), token: route.needsSession ? nil : empty.owner, body: body(route),
                    fields: fields.merging(cookie(route.needsSession ? session : nil)) { $1 })
                #expect(reply.status == 404, "\(route.method) \(route.path): \(reply.text)")
                #expect(reply.code == "not_found")
                #expect(!reply.text.contains("theirs"))
            }
            let theirs = try await installation.store.read(as: other.organization) { tenant in
                try tenant.domains(Page()).items.map(\.labels)
            }
            #expect(theirs == [["theirs"]])
        }
    }

    @Test("a consumer's credential gives access only to the snapshot, and no other credential does")
    func consumers() async throws {
        try await withInstallation { installation in
            let secret = APIUnderTest.consumerSecret
            #expect(try await installation.api.ask(.get, "/internal/manifest", token: secret).status == 200)
            #expect(try await installation.api.ask(.get, "/v1/me", token: secret).status == 401)
            let owner = try installation.token(.owner)
            for token in [owner, Secret(prefix: "")] as [Secret?] + [nil] {
                let reply = try await installation.api.ask(.get, "/internal/manifest", token: token)
                #expect((reply.status, reply.code) == (401, "unauthenticated"))
            }
        }
    }

    @Test("consumers' credentials can be replaced while requests are answered")
    func exchangedConsumers() {
        let (old, new) = (Secret(prefix: ""), Secret(prefix: ""))
        let consumers = ConsumerCredentials([old])
        var accepted = [[consumers.contain(old.text), consumers.contain(new.text)]]
        for secrets in [[old, new], [new], []] {
            consumers.replace(by: secrets)
            accepted.append([consumers.contain(old.text), consumers.contain(new.text)])
        }
        #expect(accepted == [[true, false], [true, true], [false, true], [false, false]])
        #expect(!consumers.contain(""))
    }

    @Test("a session must name its organization unless the user has only one; other organizations are not found")
    func organizations() async throws {
        try await withInstallation { installation in
            let session = try await installation.signIn(.editor)
            _ = try await installation.another("other")
            let cookie = "waymark=\(session.text)"
            let list: ([String: String]) async throws -> Reply = {
                try await installation.api.ask(.get, "/v1/teams", fields: $0)
            }
            #expect(try await list(["Cookie": cookie]).status == 200)
            #expect(try await list(["Cookie": cookie, "Waymark-Organization": "acme"]).status == 200)
            for slug in ["other", "nowhere", ""] {
                let reply = try await list(["Cookie": cookie, "Waymark-Organization": slug])
                #expect((reply.status, reply.code) == (404, "not_found"), "\(slug)")
            }
            #expect(try await list(["Cookie": "waymark=\(Secret(prefix: "").text)"]).status == 401)
            #expect(try await list(["Cookie": "waymark=x; other=y"]).status == 401)
        }
    }
}
