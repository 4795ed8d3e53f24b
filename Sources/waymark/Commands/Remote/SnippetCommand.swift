import ArgumentParser
import StrictJSON

/// `waymark snippet`.
struct SnippetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snippet",
        abstract: "Prints how a website that somebody else serves hands its two paths to Waymark.",
        discussion: """
            Asks a running Waymark, with the token in WAYMARK_TOKEN. The text to paste goes to standard output, where it \
            belongs and what to know about it to standard error. docs/live-websites.md tells more.

              waymark snippet www.example.com nginx > waymark.conf

            Kinds: nginx, caddy, apache, cloudfront, cloudflare, vercel, netlify.
            Exit code 0; 2 for a kind that there is not; 3 when it could not be done.
            """)

    @Argument(help: "The domain, or an alias.") var host: String
    @Argument(help: "What serves the website.") var kind: Kind
    @OptionGroup var remote: RemoteOptions

    /// What serves the website.
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
        Console.complain("\nTo see whether it works:\n  " + (snippet["check"]?.string ?? ""))
    }
}
