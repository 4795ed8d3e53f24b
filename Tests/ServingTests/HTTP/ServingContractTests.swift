import Testing

@testable import Serving
@testable import Snapshot

@Suite("Serving contract")
struct ServingContractTests {
    static let wellKnown = "/.well-known/apple-app-site-association"

    func withTable<Result: Sendable>(_ body: @escaping @Sendable (EdgeUnderTest) async throws -> Result) async throws {
        let table = try liveTable(["www.example": file(1), "shop.example": file(2)], unavailable: ["late.example"])
        _ = try await withEdge(table, body)
    }

    @Test("both paths serve the host's file with the fields of the contract, whatever the query")
    func files() async throws {
        try await withTable { (edge) async throws in
            for target in [Self.wellKnown, "/apple-app-site-association", Self.wellKnown + "?a=1&b=/c"] {
                let answer = try await edge.get(target)
                #expect(answer.status == 200)
                #expect(answer.body == file(1))
                #expect(
                    answer.fields.map(\.name) == [
                        "date", "connection", "waymark-version", "content-type", "x-content-type-options",
                        "content-length", "etag", "cache-control", "vary",
                    ])
                #expect(answer.field("content-type") == "application/json")
                #expect(answer.field("x-content-type-options") == "nosniff")
                #expect(answer.field("content-length") == String(file(1).count))
                #expect(answer.field("etag") == "\"\(hash(1).hex)\"")
                #expect(answer.field("cache-control") == "public, max-age=300, stale-if-error=604800")
                #expect(answer.field("waymark-version") == "12")
            }
            #expect(try await edge.get(host: "shop.example").body == file(2))
        }
    }

    @Test("HEAD returns the same fields without a body")
    func head() async throws {
        try await withTable { (edge) async throws in
            let get = try await edge.get()
            let head = try await edge.get(method: "HEAD")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.fields.map(\.name) == get.fields.map(\.name))
            #expect(head.field("content-length") == get.field("content-length"))
            let missing = try await edge.get(host: "nobody.example", method: "HEAD")
            #expect(missing.status == 404 && missing.body.isEmpty)
        }
    }

    @Test(
        "a matching tag is a 304 without content, by weak comparison",
        arguments: ["\"T\"", "W/\"T\"", "*", " * ", "\"x\", \"T\"", "\"x,y\" , W/\"T\"", ",, \"T\",", "\"\",\"T\""])
    func notModified(condition: String) async throws {
        try await withTable { (edge) async throws in
            let tag = condition.split(separator: "T", omittingEmptySubsequences: false).joined(separator: hash(1).hex)
            for method in ["GET", "HEAD"] {
                let answer = try await edge.get(method: method, fields: ["If-None-Match: \(tag)"])
                #expect(answer.status == 304)
                #expect(
                    answer.fields.map(\.name)
                        == ["date", "connection", "waymark-version", "etag", "cache-control", "vary"])
            }
        }
    }

    @Test(
        "any other condition returns the file",
        arguments: [
            "\"x\"", "T", "w/\"T\"", "\"T", "\"x\" \"T\"", "W/ \"T\"", "", "**", "\"*\"", "x, \"T\"", "* , \"T\"",
        ])
    func modified(condition: String) async throws {
        try await withTable { (edge) async throws in
            let tag = condition.split(separator: "T", omittingEmptySubsequences: false).joined(separator: hash(1).hex)
            #expect(try await edge.get(fields: ["If-None-Match: \(tag)"]).status == 200)
        }
    }

    @Test("several If-None-Match fields count as one list")
    func severalConditions() async throws {
        try await withTable { (edge) async throws in
            let fields = ["If-None-Match: \"x\"", "if-none-match: \"\(hash(1).hex)\""]
            #expect(try await edge.get(fields: fields).status == 304)
        }
    }

    @Test(
        "hosts are compared in lower case, without port or trailing dot",
        arguments: ["www.example", "WWW.Example", "www.example:443", "www.example:", "www.example.", "www.EXAMPLE.:80"])
    func knownHosts(host: String) async throws {
        try await withTable { (edge) async throws in #expect(try await edge.get(host: host).body == file(1)) }
    }

    @Test(
        "a host that is not published is a 404 that is not cached",
        arguments: [
            "nobody.example", "example", "a.www.example", "www.example..", "[::1]", "[::1]:80", "a_b", "%77ww.example",
        ])
    func unknownHosts(host: String) async throws {
        try await withTable { (edge) async throws in
            let answer = try await edge.get(host: host)
            #expect(answer.status == 404)
            #expect(answer.field("cache-control") == "no-store")
            #expect(answer.field("content-type") == "application/problem+json")
            #expect(answer.field("x-content-type-options") == "nosniff")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("\"code\":\"unknown_host\""))
        }
    }

    @Test(
        "a malformed host is a 400",
        arguments: [
            "", ".", ":80", "a b", "a/b", "www.example/", "user@www.example", "a,b c", "www.example:x",
            "www.example:123456",
            "[::1", "[]", "[x]", "::1", "www.example:80:80", "é", "a\\b", "<a>", String(repeating: "a", count: 255),
        ])
    func malformedHosts(host: String) async throws {
        try await withTable { (edge) async throws in
            let answer = try await edge.get(host: host)
            #expect(answer.status == (host == "." ? 404 : 400))
            #expect(answer.field("cache-control") == "no-store")
        }
    }

    @Test("a published host without its file is a 503, never a 404")
    func unavailable() async throws {
        try await withTable { (edge) async throws in
            let answer = try await edge.get(host: "late.example")
            #expect(answer.status == 503)
            #expect(answer.field("retry-after") == "5")
        }
    }

    @Test(
        "any other path is a 404, and no answer is a redirect",
        arguments: [
            "/", "/.well-known/", "/.well-known/apple-app-site-association/",
            "/.well-known//apple-app-site-association", "/x/../apple-app-site-association",
            "/APPLE-app-site-association",
            "/.well-known/apple-app-site-associatio", "/.well-known/apple-app-site-association.json",
            "/%2ewell-known/x",
            "/apple-app-site-association%00", "/livez", "/metrics", "*",
        ])
    func otherPaths(path: String) async throws {
        try await withTable { (edge) async throws in
            let answer = try await edge.get(path)
            #expect(answer.status == 404)
            #expect(answer.field("location") == nil)
        }
    }

    @Test("any other method is a 405 with Allow", arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
    func otherMethods(method: String) async throws {
        try await withTable { (edge) async throws in
            let answer = try await edge.get(method: method)
            #expect(answer.status == 405)
            #expect(answer.field("allow") == "GET, HEAD")
        }
    }

    @Test("before the first snapshot every request gets a 503 with Retry-After, and /readyz reports it")
    func notReady() async throws {
        let table = LiveTable()
        try await withEdge(table) { (edge) async throws in
            let answer = try await edge.get()
            #expect(answer.status == 503)
            #expect(answer.field("retry-after") == "5")
            #expect(answer.field("cache-control") == "no-store")
            #expect(try await health(edge, "/readyz").status == 503)
            #expect(try await health(edge, "/livez").status == 200)
            try table.replace(with: oneHost())
            #expect(try await edge.get().status == 200)
            #expect(try await health(edge, "/readyz").status == 200)
            let metrics = try await health(edge, "/metrics")
            #expect(metrics.body == Array("waymark_test 1\n".utf8))
            #expect(try await health(edge, "/").status == 404)
            #expect(try await health(edge, "/livez", method: "POST").status == 405)
        }
    }

    @Test("X-Forwarded-Host is trusted only from listed proxies, and must then be one well-formed host")
    func forwarded() async throws {
        let table = try liveTable(["www.example": file(1), "shop.example": file(2)])
        let other = ["X-Forwarded-Host: shop.example"]
        try await withEdge(table) { (edge) async throws in
            #expect(try await edge.get(fields: other).body == file(1))
            #expect(try await edge.get(fields: ["X-Forwarded-Host: a b"]).body == file(1))
        }
        let proxies = try #require(ProxyList(["10.0.0.0/8", "127.0.0.0/30"]))
        try await withEdge(table, proxies: proxies) { (edge) async throws in
            #expect(try await edge.get(fields: other).body == file(2))
            #expect(try await edge.get().body == file(1))
            #expect(try await edge.get(fields: ["x-forwarded-host: SHOP.example.:443"]).body == file(2))
            #expect(try await edge.get(fields: other + other).status == 400)
            #expect(try await edge.get(fields: ["X-Forwarded-Host: shop.example, www.example"]).status == 400)
            #expect(try await edge.get(fields: ["X-Forwarded-Host: "]).status == 400)
            #expect(try await edge.get(host: "a b", fields: other).status == 400)
        }
    }

    @Test("a host in the path overrides every field, and returns that host's answer")
    func namedHosts() async throws {
        let proxies = try #require(ProxyList(["127.0.0.1"]))
        let table = try liveTable(["www.example": file(1), "shop.example": file(2)], unavailable: ["late.example"])
        try await withEdge(table, proxies: proxies) { (edge) async throws in
            for path in [Self.wellKnown, "/apple-app-site-association"] {
                for host in ["shop.example", "SHOP.example.", "shop.example:443"] {
                    let target = "/hosts/\(host)\(path)"
                    for from in ["edge.example.net", "www.example"] {
                        #expect(try await edge.get(target, host: from).body == file(2))
                    }
                    #expect(try await edge.get("http://www.example\(target)?a=/b").body == file(2))
                    #expect(try await edge.get(target, fields: ["X-Forwarded-Host: www.example"]).body == file(2))
                }
            }
            let named = "/hosts/shop.example" + Self.wellKnown
            let known = ["If-None-Match: \"\(hash(2).hex)\""]
            #expect(try await edge.get(named, fields: known).status == 304)
            #expect(try await edge.get(named, method: "HEAD").field("content-length") == String(file(2).count))
            #expect(try await edge.get(named, method: "POST").status == 405)
            #expect(try await edge.get(named, host: "a b").status == 400)
            #expect(try await edge.get("/hosts/late.example" + Self.wellKnown).status == 503)
            for host in ["nobody.example", "hosts", "%77ww.example", "..", ""] {
                let answer = try await edge.get("/hosts/\(host)\(Self.wellKnown)")
                #expect([400, 404].contains(answer.status) && answer.field("location") == nil)
            }
            for path in [
                "/hosts", "/hosts/", "/hosts/www.example", "/hosts/www.example/", "/hosts" + Self.wellKnown,
                "/hosts/hosts/www.example" + Self.wellKnown, "/HOSTS/www.example" + Self.wellKnown,
                "/hosts/www.example/x" + Self.wellKnown, "/hosts/www.example" + Self.wellKnown + "/",
            ] {
                #expect(try await edge.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test("only the private address answers whether a host is served, from the table")
    func served() async throws {
        try await withTable { (edge) async throws in
            func status(_ query: String) async throws -> Int {
                try await health(edge, "/internal/served" + query).status
            }
            for host in ["www.example", "WWW.Example", "late.example"] {
                #expect(try await status("?domain=\(host)") == 200, "\(host)")
            }
            #expect(try await status("?a=b&domain=www.example") == 200)
            for host in ["nobody.example", "a.www.example", "example"] {
                #expect(try await status("?domain=\(host)") == 404, "\(host)")
            }
            for query in [
                "", "?", "?domain=", "?domain", "?Domain=www.example", "?domain=www.example&domain=www.example",
                "?domain=www.example:443", "?domain=www.example.", "?domain=%77ww.example", "?domain=a/b", "?domain=..",
                "?domain=" + String(repeating: "a", count: 300),
            ] {
                #expect(try await status(query) == 400, "\(query)")
            }
            #expect(try await health(edge, "/internal/served?domain=www.example", method: "POST").status == 405)
            #expect(try await edge.get("/internal/served?domain=www.example").status == 404)
        }
        try await withEdge(LiveTable()) { (edge) async throws in
            #expect(try await health(edge, "/internal/served?domain=www.example").status == 503)
        }
    }

    private func health(_ edge: EdgeUnderTest, _ path: String, method: String = "GET") async throws -> RawAnswer {
        try await edge.only(
            exchange(edge.healthPort, "\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
    }

    private func oneHost() throws -> ServingTable { try table(["www.example": file(1)]) }
}
