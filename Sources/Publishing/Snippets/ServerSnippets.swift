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
                Replace \(edge.host) with the edge's public address. This installation does not know it, because \
                WAYMARK_EDGE_PUBLIC_URL is not set.
                """)
        }
        if !isLive {
            notes.append(
                """
                Nothing is live on \(host): the edge answers 404, which removes the association from devices that \
                fetch the file. Publish first, then add the snippet.
                """)
        }
        if !edge.isSecure {
            notes.append(
                """
                The website reaches the edge by http, so its answers can be changed on the way. Put a proxy that \
                terminates TLS in front of the edge.
                """)
        }
        return notes
    }

    private var lastingNotes: [String] {
        [
            """
            Nothing may redirect these two paths first: not from http to https, nor to www, to a language or to a \
            trailing slash. They must not need a login or a bot check, or be blocked by country.
            """,
            """
            Do not change the status, Content-Type, ETag or Cache-Control that the edge sends. Do not cache longer \
            than Cache-Control says (five minutes).
            """,
            """
            A request from the internet must then get status 200, Content-Type application/json and a \
            Waymark-Version header. It must get neither a Location header nor HTML.
            """,
        ]
    }
}
