import ArgumentParser
import StrictJSON

/// `waymark snippet`.
struct SnippetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snippet",
        abstract: "Prints configuration for another web server to forward the two paths to Waymark.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. The text to paste goes to standard output; its place and notes go to \
            standard error. See docs/live-websites.md.

              waymark snippet www.example.com nginx > waymark.conf

            Kinds: nginx, caddy, apache, cloudfront, cloudflare, vercel, netlify.
            Exit codes: 0 success; 2 unknown kind; 3 other errors.
            """)

    @Argument(help: "The domain, or an alias.") var host: String
    @Argument(help: "The kind of server that serves the website.") var kind: Kind
    @OptionGroup var remote: RemoteOptions

    /// The kind of web server.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case nginx, caddy, apache, cloudfront, cloudflare, vercel, netlify
    }

    func run() async throws {
        let answer = try await RemoteAPI.with(url: remote.url) { api in
            try await api.get("/v1/domains/\(RemoteAPI.segment(host))/snippets/\(kind.rawValue)")
        }
        try remote.say(answer.body, "")
        guard answer.status == 200 else { throw Refusal(answer.detail) }
        if remote.json { return }
        let snippet = answer.body
        try Console.answer(Array((snippet["text"]?.string ?? "").utf8))
        Console.complain("\n" + (snippet["place"]?.string ?? ""))
        for note in snippet["notes"]?.array ?? [] { Console.complain("- " + (note.string ?? "")) }
        Console.complain("\nTo check that it works:\n  " + (snippet["check"]?.string ?? ""))
    }
}
