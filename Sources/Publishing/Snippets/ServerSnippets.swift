public import AASA

/// Configuration snippets for other web servers, one for each kind. With a snippet, the server forwards a host's two
/// paths to the edge.
///
/// The server requests `/hosts/`, the host, and the original path from the edge. So the snippets also work on servers
/// that cannot change the `Host` header, and the edge needs only a certificate for its own name.
public struct ServerSnippets: Hashable, Sendable {
    /// The kind of server.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case nginx, caddy, apache, cloudfront, cloudflare, vercel, netlify
    }

    /// A snippet, with instructions.
    public struct Snippet: Hashable, Sendable {
        /// The kind of server.
        public let kind: Kind
        /// The server's display name.
        public let name: String
        /// Where to paste the snippet in the configuration.
        public let place: String
        /// The text, with a line feed at the end.
        public let text: String
        /// Other requirements, each as one or two sentences.
        public let notes: [String]
        /// A command that checks whether the snippet works.
        public let check: String
    }

    /// The website's host.
    public let host: Host
    /// The edge's address, to which the website's server forwards.
    public let edge: EdgeURL
    /// True if the edge's address is unknown, so the snippets contain a placeholder.
    public let isEdgeUnknown: Bool
    private let isLive: Bool

    /// Creates the snippets for a host.
    ///
    /// - Parameters:
    ///   - edge: The edge's address, or `nil` if it is unknown.
    ///   - isLive: True if the host is live. If false, the notes mention it.
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

    /// The parts of a snippet that differ between kinds of servers.
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

    /// The address of the host's files at the edge, without the path.
    var target: String { "\(edge)/hosts/\(host)" }

    /// The two forwarded paths.
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
