import FoundationEssentials
import HTTPTypes
import Publishing
import Storage

/// The dashboard's files, read into memory once: pages by their names without `.html`, everything else by its path.
/// Pages are put together from their parts (`StaticPages+Parts.swift`). The pages of the findings, `docs/findings`
/// beside the dashboard's folder, are served unchanged under `/findings/`.
struct StaticPages: Sendable {
    /// A file that cannot be served.
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "the folder of the dashboard's pages cannot be read: \(path)" }
    }

    struct Page: Sendable {
        let bytes: [UInt8]
        let type: String
        let tag: String

        init(bytes: [UInt8], type: String) {
            self.bytes = bytes
            self.type = type
            tag = "\"\(hexadecimal(digest(bytes)))\""
        }

        func answer(to request: HTTPRequest, _ status: HTTPResponse.Status = .ok) -> Answer {
            let fields: HTTPFields = [
                .eTag: tag, .cacheControl: "no-cache", .contentSecurityPolicy: StaticPages.policy,
                .xContentTypeOptions: "nosniff", .referrerPolicy: "same-origin",
                .crossOriginOpenerPolicy: "same-origin",
                .crossOriginResourcePolicy: "same-origin",
            ]
            if status == .ok, Preconditions.isKnown(tag, request) { return Answer(.notModified, fields: fields) }
            return Answer(status, fields: fields, body: bytes).with(.contentType, type)
        }
    }

    /// Only our own files run or load, and nobody frames them.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "md": "text/markdown; charset=utf-8", "txt": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
    ]

    private let pages: [String: Page]

    init(directory: String) throws {
        // A folder that is reached by a symbolic link would seem empty.
        let folder = URL(filePath: directory).resolvingSymlinksInPath()
        guard let own = try Self.files(in: folder, under: "/") else { throw Unreadable(path: directory) }
        let documents = folder.deletingLastPathComponent().appending(path: "docs/findings")
        // An installation may come without its documents.
        let findings = try Self.files(in: documents, under: "/findings/") ?? [:]
        pages = try Self.assembled(own).merging(findings) { page, _ in page }
    }

    /// Every file of a folder and the folders in it that is of a known type, by its address; nil without such a folder.
    private static func files(in folder: URL, under prefix: String) throws -> [String: Page]? {
        let directory = folder.path(percentEncoded: false)
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: directory) else { return nil }
        var pages: [String: Page] = [:]
        for name in names {
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
                let type = types[String(name[name.index(after: dot)...])]
            else { continue }
            guard let data = FileManager.default.contents(atPath: directory + "/" + name) else {
                throw Unreadable(path: directory + "/" + name)
            }
            pages[prefix + name] = Page(bytes: Array(data), type: type)
        }
        return pages
    }

    /// The page at a path: `/`, `/domain` for `domain.html`, `/css/base.css`.
    func page(at path: String) -> Page? {
        if path == "/" { return pages["/index.html"] }
        return path.hasSuffix(".html") ? nil : pages[path] ?? pages[path + ".html"]
    }

    /// The answer to a person at a wrong address; nil to a program, which gets a problem.
    func notFound(_ request: HTTPRequest) -> Answer? {
        let path = request.path ?? "/"
        let isForPrograms = ["/v1/", "/internal/"].contains { path.hasPrefix($0) }
        let takesPages = request.headerFields[.accept]?.contains("text/html") ?? false
        guard takesPages, !isForPrograms, request.method == .get || request.method == .head else { return nil }
        return page(at: "/not-found")?.answer(to: request, .notFound)
    }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name.known("Referrer-Policy")
    /// No window of another site keeps a hold on ours (https://html.spec.whatwg.org/#cross-origin-opener-policies).
    static let crossOriginOpenerPolicy = HTTPField.Name.known("Cross-Origin-Opener-Policy")
    /// A second `Host`: the first one has become the request's authority.
    static let hostField = HTTPField.Name.known("Host")
    static let requestID = HTTPField.Name.known("Request-Id")
    static let secFetchSite = HTTPField.Name.known("Sec-Fetch-Site")
    static let waymarkOrganization = HTTPField.Name.known("Waymark-Organization")

    /// The manipulations that the caller can follow (RFC 3229).
    static let acceptedManipulations = HTTPField.Name.known("A-IM")
    /// The manipulations that make the answer.
    static let manipulation = HTTPField.Name.known("IM")
    /// The ETag of what the answer has to be applied to.
    static let deltaBase = HTTPField.Name.known("Delta-Base")

    /// A name that is a token (RFC 9110, section 5.6.2): all those above are.
    private static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .server
    }
}
