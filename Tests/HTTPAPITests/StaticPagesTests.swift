import Foundation
import HTTPTypes
import Testing

@testable import HTTPAPI

@Suite("Static pages")
struct StaticPagesTests {
    @Test("a control and a script get the role that an operation needs, and an unknown operation is refused")
    func roles() throws {
        let rights = ["createRule": "editor", "createFreeze": "publisher"]
        let page = { (text: String) in StaticPages.Page(bytes: Array(text.utf8), type: "text/html") }
        let text = #"<a data-needs="createRule"></a><p data-lacks=createFreeze>x</p><i data-part="createRule">"#
        let script = page(#"data-needs="x"; a.can("createFreeze") || b?.can("createRule") || c.can(role)"#)
        let made = try StaticPages.withRoles(["/a.html": page(text), "/a.js": script], rights)
        #expect(
            made["/a.html"].map { String(decoding: $0.bytes, as: UTF8.self) }
                == #"<a data-needs=editor></a><p data-lacks=publisher>x</p><i data-part="createRule">"#)
        #expect(
            made["/a.js"].map { String(decoding: $0.bytes, as: UTF8.self) }
                == #"data-needs="x"; a.can("publisher") || b?.can("editor") || c.can(role)"#)
        for unknown in ["/a.html": page(#"<a data-needs="editor">"#), "/a.js": page(#"session.can("editor")"#)] {
            #expect(throws: StaticPages.UnknownOperation.self) {
                try StaticPages.withRoles([unknown.key: unknown.value], rights)
            }
        }
    }

    /// Runs `body` with the pages of a temporary folder.
    private func withPages(_ files: [String: String], _ body: (StaticPages) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "waymark-pages-\(UUID().uuidString)")
        let folder = root.appending(path: "public")
        defer { try? FileManager.default.removeItem(at: root) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(StaticPages(directory: folder.path(percentEncoded: false)))
    }

    private static let files = [
        "index.html": "home", "domain.html": "domain", "styles/base.css": "css", "scripts/deep/main.js": "js",
        "images/mark.svg": "<svg/>", "data.json": "{}", "notes.secret": "no", ".hidden": "no", "README": "no",
    ]

    private func request(_ fields: [HTTPField.Name: String] = [:]) -> HTTPRequest {
        var request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        for (name, value) in fields { request.headerFields[name] = value }
        return request
    }

    @Test("a page has the path of its file without .html, other files have their own path")
    func paths() throws {
        try withPages(Self.files) { pages in
            for (path, text) in [
                ("/", "home"), ("/index", "home"), ("/domain", "domain"), ("/styles/base.css", "css"),
                ("/scripts/deep/main.js", "js"), ("/data.json", "{}"),
            ] {
                #expect(pages.page(at: path).map { String(decoding: $0.bytes, as: UTF8.self) } == text, "\(path)")
            }
        }
    }

    @Test("the pages about findings are served unchanged by their file names, from the documents beside the pages")
    func findings() throws {
        let documents = ["../docs/findings/WM02x/WM020.md": "# WM020", "../docs/operations.md": "# Operations"]
        try withPages(Self.files.merging(documents) { own, _ in own }) { pages in
            let page = try #require(pages.page(at: "/findings/WM020.md"))
            #expect(page.bytes == Array("# WM020".utf8))
            #expect(page.type == "text/markdown; charset=utf-8")
            #expect(pages.page(at: "/findings/WM02x/WM020.md") == nil)
            #expect(pages.page(at: "/operations.md") == nil && pages.page(at: "/findings/../operations.md") == nil)
            #expect(pages.page(at: "/")?.bytes == Array("home".utf8))
        }
        try withPages(Self.files) { #expect($0.page(at: "/findings/WM020.md") == nil) }
    }

    @Test(
        "files of unknown types and files elsewhere are not served",
        arguments: [
            "/domain.html", "/index.html", "/styles", "/styles/", "/notes.secret", "/.hidden", "/README", "/nothing",
            "/../Package.swift", "/styles/../index", "//index", "/%2e%2e/x", "", "/styles/base", "/domain/",
        ])
    func absent(path: String) throws {
        try withPages(Self.files) { #expect($0.page(at: path) == nil) }
    }

    @Test("every page forbids files of other sites, and is revalidated by its ETag")
    func headers() throws {
        try withPages(Self.files) { pages in
            for (path, type) in [
                ("/", "text/html; charset=utf-8"), ("/styles/base.css", "text/css; charset=utf-8"),
                ("/scripts/deep/main.js", "text/javascript; charset=utf-8"), ("/images/mark.svg", "image/svg+xml"),
            ] {
                let page = try #require(pages.page(at: path))
                let answer = page.answer(to: request())
                #expect(answer.status == .ok)
                #expect(answer.fields[.contentType] == type)
                let policy = answer.fields[.contentSecurityPolicy] ?? ""
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
                #expect(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"))
                #expect(answer.fields[.xContentTypeOptions] == "nosniff")
                #expect(answer.fields[.referrerPolicy] == "same-origin")
                let known = page.answer(to: request([.ifNoneMatch: page.tag]))
                #expect(known.status == .notModified)
                #expect(known.body.isEmpty)
                #expect(known.fields[.eTag] == page.tag)
            }
            #expect(pages.page(at: "/")?.tag != pages.page(at: "/domain")?.tag)
        }
    }

    @Test("a page contains its includes, and the link to itself is the current one")
    func includes() throws {
        let nav = "    <a href=\"/\" data-page=\"index\">A</a>\n    <a href=\"/domain\" data-page=\"domain\">B</a>\n"
        let includes = ["includes/nav.html": nav, "includes/domain/end-of-page.html": "    <p>End</p>\n"]
        let lines = "    <!-- include includes/nav.html -->\n<!-- include includes/domain/end-of-page.html -->\n"
        let domain = "<body>\n\(lines)</body>"
        try withPages(Self.files.merging(includes) { $1 }.merging(["domain.html": domain]) { $1 }) { pages in
            let page = try #require(pages.page(at: "/domain"))
            #expect(
                String(decoding: page.bytes, as: UTF8.self) == """
                    <body>
                        <a href="/" data-page="index">A</a>
                        <a href="/domain" aria-current="page">B</a>
                        <p>End</p>
                    </body>
                    """)
            #expect(page.tag != StaticPages.Page(bytes: Array(domain.utf8), type: page.type).tag)
            #expect(pages.page(at: "/includes/nav") == nil && pages.page(at: "/includes/nav.html") == nil)
        }
    }

    @Test("a missing include is an error at the start, not at a request")
    func missingInclude() {
        #expect(throws: StaticPages.MissingInclude.self) {
            try withPages(["index.html": "<!-- include includes/nav.html -->\n"]) { _ in }
        }
    }

    @Test("a page has one stylesheet, with all that it links to, in the same order")
    func oneStylesheet() throws {
        let links = ["/styles/b.css", "/styles/a.css"].map { "    <link rel=\"stylesheet\" href=\"\($0)\">\n" }
        let files = ["page.html": "<head>\n\(links.joined())</head>", "styles/a.css": "a {}", "styles/b.css": "b {}"]
        try withPages(Self.files.merging(files) { $1 }) { pages in
            let page = try #require(pages.page(at: "/page"))
            let text = String(decoding: page.bytes, as: UTF8.self)
            let link = try #require(text.firstMatch(of: #/href="(/assets/[0-9a-f]{10}/styles/page\.css)"/#))
            #expect(text.matches(of: #/rel="stylesheet"/#).count == 1)
            let sheet = try #require(pages.page(at: String(link.1)))
            #expect(String(decoding: sheet.bytes, as: UTF8.self) == "b {}\na {}\n")
            #expect(sheet.type == "text/css; charset=utf-8")
        }
        #expect(throws: StaticPages.MissingStylesheet.self) {
            try withPages(["index.html": links[0]]) { _ in }
        }
    }

    @Test(
        "a text file of 1 KiB or more is sent in the shortest form that the client reads; each form has its tag")
    func codings() throws {
        let style = String(repeating: "a { color: red }\n", count: 100)
        try withPages(Self.files.merging(["styles/base.css": style]) { $1 }) { pages in
            let page = try #require(pages.page(at: "/styles/base.css"))
            var tags: Set<String?> = []
            for (accepted, coding) in [("gzip, br", "br"), ("gzip", "gzip"), ("identity", nil)] {
                let answer = page.answer(to: request([.acceptEncoding: accepted]))
                #expect(answer.fields[.contentEncoding] == coding)
                #expect(answer.fields[.vary] == "Accept-Encoding")
                #expect((answer.body.count < style.utf8.count) == (coding != nil))
                tags.insert(answer.fields[.eTag])
                let known = request([.acceptEncoding: accepted, .ifNoneMatch: answer.fields[.eTag] ?? ""])
                #expect(page.answer(to: known).status == .notModified)
            }
            #expect(tags.count == 3)
            let small = try #require(pages.page(at: "/scripts/deep/main.js"))
            let answer = small.answer(to: request([.acceptEncoding: "br"]))
            #expect(answer.fields[.contentEncoding] == nil && answer.fields[.vary] == nil)
        }
    }

    @Test("a page is also served at the addresses of its sections, and at no others below it")
    func sections() throws {
        let domain = "<meta name=\"sections\" content=\"rules link-tests\">"
        try withPages(Self.files.merging(["domain.html": domain]) { $1 }) { pages in
            for path in ["/domain", "/domain/rules", "/domain/link-tests"] {
                #expect(pages.page(at: path).map { String(decoding: $0.bytes, as: UTF8.self) } == domain, "\(path)")
            }
            for absent in ["/domain/link", "/domain/", "/domain/rules.html", "/domain/rules/rules", "/index/rules"] {
                #expect(pages.page(at: absent) == nil, "\(absent)")
            }
        }
    }

    @Test("scripts, styles and images have a versioned address that changes with their content and may be kept")
    func versions() throws {
        let page = "<link href=\"/styles/base.css\"><use href=\"/images/mark.svg#x\"><a href=\"/domain\">"
        var versions: [Substring] = []
        for style in ["css", "other"] {
            let files = ["index.html": page, "styles/base.css": style].merging(Self.files) { own, _ in own }
            try withPages(files) { pages in
                let home = try #require(pages.page(at: "/"))
                let text = String(decoding: home.bytes, as: UTF8.self)
                let match = try #require(text.firstMatch(of: /"(\/assets\/[0-9a-f]{10})\/styles\/base\.css"/))
                versions.append(match.1)
                #expect(text.contains("\"\(match.1)/images/mark.svg#x\"") && text.contains("\"/domain\""))
                let kept = try #require(pages.page(at: "\(match.1)/styles/base.css"))
                #expect(kept.bytes == Array(style.utf8))
                #expect(kept.answer(to: request()).fields[.cacheControl]?.contains("immutable") == true)
                for asked in ["/", "/styles/base.css", "/assets/0123456789/styles/base.css"] {
                    #expect(pages.page(at: asked)?.answer(to: request()).fields[.cacheControl] == "no-cache")
                }
                for absent in ["\(match.1)/index.html", "\(match.1)/domain", "\(match.1)/nothing.css"] {
                    #expect(pages.page(at: absent) == nil)
                }
            }
        }
        #expect(Set(versions).count == 2)
    }

    @Test("the folder can be a symbolic link")
    func link() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-link-\(UUID().uuidString)")
        let pages = folder.appending(path: "pages")
        let link = folder.appending(path: "link")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        try Data("home".utf8).write(to: pages.appending(path: "index.html"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pages)
        #expect(try StaticPages(directory: link.path(percentEncoded: false)).page(at: "/") != nil)
    }

    @Test("a missing folder is an error at the start, not at a request")
    func missing() {
        #expect(throws: StaticPages.Unreadable.self) { try StaticPages(directory: "/nowhere/public") }
    }
}
