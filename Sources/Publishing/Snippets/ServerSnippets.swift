public import AASA

/// How a website that somebody else serves hands its two paths to the edge: what to paste, filled in for each kind of
/// server.
///
/// The server asks the edge for `/hosts/` and the host, before the path as it came. So nothing hangs on a `Host` that many
/// of them cannot send to another server, and the edge needs a certificate for its own name alone.
public struct ServerSnippets: Hashable, Sendable {
    /// What serves the website.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case nginx, caddy, apache, cloudfront, cloudflare, vercel, netlify
    }

    /// What to paste, and what to know about it.
    public struct Snippet: Hashable, Sendable {
        /// For which kind of server.
        public let kind: Kind
        /// The server's name, for people.
        public let name: String
        /// Where it goes.
        public let place: String
        /// The text to paste, with a line feed at its end.
        public let text: String
        /// What has to be so besides, each a sentence or two.
        public let notes: [String]
        /// The command that shows whether it works.
        public let check: String
    }

    /// The website's host.
    public let host: Host
    /// The edge as the website's server reaches it.
    public let edge: EdgeURL
    /// The edge's address is not known, and the snippets hold a name in its place.
    public let isEdgeUnknown: Bool
    private let isLive: Bool

    /// A snippets of a host.
    ///
    /// - Parameters:
    ///   - edge: the edge's address; nil where it is not known.
    ///   - isLive: whether something is live on the host; if not, the notes say so.
    public init(of host: Host, to edge: EdgeURL?, isLive: Bool) {
        self.host = host
        self.edge = edge ?? .placeholder
        isEdgeUnknown = edge == nil
        self.isLive = isLive
    }

    /// The snippet for a kind of server.
    public func snippet(for kind: Kind) -> Snippet {
        let recipe = recipe(for: kind)
        return Snippet(
            kind: kind, name: recipe.name, place: recipe.place, text: recipe.text,
            notes: urgentNotes + recipe.notes + lastingNotes, check: check)
    }

    /// What differs from one kind of server to another.
    struct Recipe {
        let name: String
        let place: String
        let text: String
        let notes: [String]
    }

    private func recipe(for kind: Kind) -> Recipe {
        switch kind {
        case .nginx: nginx
        case .caddy: caddy
        case .apache: apache
        case .cloudfront: cloudfront
        case .cloudflare: cloudflare
        case .vercel: vercel
        case .netlify: netlify
        }
    }

    /// Where the edge has the host's files: before one of ``paths``.
    var target: String { "\(edge)/hosts/\(host)" }

    /// The two paths that are handed over.
    static let paths = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]

    private var check: String { "curl -si https://\(host)\(Self.paths[0])" }

    private var urgentNotes: [String] {
        var notes: [String] = []
        if isEdgeUnknown {
            notes.append(
                """
                Put the edge's public address in place of \(edge.host): this installation does not know it, because \
                WAYMARK_EDGE_PUBLIC_URL is not set.
                """)
        }
        if !isLive {
            notes.append(
                """
                Nothing is live on \(host): the edge answers 404, which ends the association on the phones that ask. \
                Publish first, then hand over.
                """)
        }
        if !edge.isSecure {
            notes.append(
                "The edge is reached by http, so that its answers can be changed on the way: end TLS before it.")
        }
        return notes
    }

    private var lastingNotes: [String] {
        [
            """
            No redirect may come before it for these two paths, not from http to https, to www, to a language or to a \
            slash at the end; nor a login, a bot check or a block by country.
            """,
            """
            Leave status, Content-Type, ETag and Cache-Control as the edge sends them, and cache no longer than \
            Cache-Control says: five minutes.
            """,
            """
            Asked from outside, the website then answers 200 with Content-Type application/json and Waymark-Version, \
            and neither Location nor HTML.
            """,
        ]
    }
}
