import ContentCoding
import FoundationEssentials
import HTTPTypes
import Hex
import Publishing
import Storage

/// The dashboard's files, which are read into memory once. Pages are stored by name without `.html`, other files by
/// path. Pages are assembled from their includes (`StaticPages+Includes.swift`). Each gets a single stylesheet
/// (`StaticPages+Stylesheets.swift`), the roles that its controls need (`StaticPages+Roles.swift`), and addresses for its sections (`StaticPages+Sections.swift`). The pages of the
/// findings come from `docs/findings` next to the dashboard's folder. They are served unchanged under `/findings/`, by
/// file name.
struct StaticPages: Sendable {
    /// The error for a file that cannot be read.
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "the dashboard's pages cannot be read: \(path)" }
    }

    struct Page: Sendable {
        let bytes: [UInt8]
        let type: String
        let tag: String
        /// True if the content at this address never changes. Browsers then do not check it again.
        var isImmutable = false
        /// The encoded forms, or `nil` if the file is small or already compressed.
        private let encoded: EncodedForms?

        init(bytes: [UInt8], type: String) {
            self.bytes = bytes
            self.type = type
            tag = "\"\(Hexadecimal.encode(digest(bytes)))\""
            let isText = !["image/png", "image/x-icon"].contains(type)
            encoded = isText && bytes.count >= Coding.smallestEncoded ? EncodedForms() : nil
        }

        func answer(to request: HTTPRequest, _ status: HTTPResponse.Status = .ok) -> Answer {
            let form = form(for: request)
            var fields: HTTPFields = [
                .eTag: form.tag,
                .cacheControl: isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
                .contentSecurityPolicy: StaticPages.policy, .xContentTypeOptions: "nosniff",
                .referrerPolicy: "same-origin",
                .crossOriginOpenerPolicy: "same-origin",
                .crossOriginResourcePolicy: "same-origin",
            ]
            if encoded != nil { fields[.vary] = "Accept-Encoding" }
            if status == .ok, Preconditions.isKnown(form.tag, request) { return Answer(.notModified, fields: fields) }
            fields[.contentEncoding] = form.coding?.rawValue
            return Answer(status, fields: fields, body: form.bytes).with(.contentType, type)
        }

        /// The shortest form that the client can read. Each form has its own tag, because the bytes differ.
        private func form(for request: HTTPRequest) -> (bytes: [UInt8], tag: String, coding: Coding?) {
            guard let encoded else { return (bytes, tag, nil) }
            var accepted = AcceptedCodings()
            for value in request.headerFields[values: .acceptEncoding] { accepted.add(value.utf8) }
            for coding in accepted.preferred {
                guard let form = encoded.form(coding, of: bytes) else { continue }
                return (form, "\(tag.dropLast())-\(coding.rawValue)\"", coding)
            }
            return (bytes, tag, nil)
        }
    }

    /// Pages can load and run only files from this server, and other sites cannot show them in frames.
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
    private let version: String

    /// - Parameter rights: The right that each operation needs, by its ID (``Contract/rights``).
    init(directory: String, rights: [String: String] = [:]) throws {
        // FileManager lists a folder as empty if it is a symbolic link, so resolve links first.
        let folder = URL(filePath: directory).resolvingSymlinksInPath()
        guard let own = try Self.files(in: folder, under: "/") else { throw Unreadable(path: directory) }
        let documents = folder.deletingLastPathComponent().appending(path: "docs/findings")
        var findings: [String: Page] = [:]
        // The documents may be missing in an installation.
        for (path, page) in try Self.files(in: documents, under: "/") ?? [:] {
            findings["/findings/" + URL(filePath: path).lastPathComponent] = page
        }
        let assigned = try Self.withRoles(Self.assembled(own), rights)
        version = Self.version(of: assigned)
        let whole = try Self.withOneStylesheet(assigned)
        pages = Self.withSectionAddresses(Self.withVersionedAddresses(whole, version: version))
            .merging(findings) { page, _ in page }
    }

    /// All files of known types in a folder and its subfolders, by address. `nil` if the folder does not exist.
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

    /// The page at a path, such as `/`, `/domain` for `domain.html`, `/domain/rules` or `/styles/base/base.css`. The
    /// paths of scripts, styles and images can also start with `/assets/VERSION`.
    func page(at path: String) -> Page? {
        if path == "/" { return pages["/index.html"] }
        if let asset = path.wholeMatch(of: #//assets/([0-9a-f]{10})(/.+\..+)/#) {
            // During an upgrade, a browser may request the version of another process. It then must not cache the file.
            var page = pages[String(asset.2)]
            page?.isImmutable = asset.1 == version
            return path.hasSuffix(".html") ? nil : page
        }
        // Each organization's provider returns to an address of its own.
        let name = path.wholeMatch(of: #/(/sign-in/return)/[^/]{1,63}/#).map { String($0.1) } ?? path
        return name.hasSuffix(".html") ? nil : pages[name] ?? pages[name + ".html"]
    }

    /// The page for an unknown address. Returns `nil` for a program's request, which gets a problem instead.
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
    /// Prevents windows of other sites from accessing windows of this site
    /// (https://html.spec.whatwg.org/#cross-origin-opener-policies).
    static let crossOriginOpenerPolicy = HTTPField.Name.known("Cross-Origin-Opener-Policy")
    /// The name of a second `Host` field. The first one has become the request's authority.
    static let hostField = HTTPField.Name.known("Host")
    static let requestID = HTTPField.Name.known("Request-Id")
    static let secFetchSite = HTTPField.Name.known("Sec-Fetch-Site")
    static let waymarkOrganization = HTTPField.Name.known("Waymark-Organization")
    static let idempotencyKey = HTTPField.Name.known("Idempotency-Key")
    static let idempotencyReplayed = HTTPField.Name.known("Idempotency-Replayed")
    static let link = HTTPField.Name.known("Link")
    static let rateLimit = HTTPField.Name.known("RateLimit")
    static let rateLimitPolicy = HTTPField.Name.known("RateLimit-Policy")
    static let forwardedFor = HTTPField.Name.known("X-Forwarded-For")

    /// The encodings of deltas that the client accepts (RFC 3229).
    static let acceptedManipulations = HTTPField.Name.known("A-IM")
    /// The delta encoding of the response.
    static let manipulation = HTTPField.Name.known("IM")
    /// The ETag of the version to which the delta applies.
    static let deltaBase = HTTPField.Name.known("Delta-Base")

    /// Creates a name from a valid token (RFC 9110, section 5.6.2).
    private static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .server
    }
}
