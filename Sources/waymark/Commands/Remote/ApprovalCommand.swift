import ArgumentParser
import StrictJSON

/// `waymark approval`.
struct ApprovalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approval",
        abstract: "Requests approval of exact files, and shows what is missing.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. People approve and reject on the page "Approvals": a token cannot.

              waymark approval request www.example.com --message "the winter sale"
              waymark approval request --label shop --message "the winter sale"
              waymark approval list --pending
              waymark approval show 6f1d…

            Exit codes: 0 success, and for `show` if nothing is missing; 1 approvals are missing, no file needs approval, or the \
            request has already ended; 2 the request is invalid; 3 other errors.
            """,
        subcommands: [Request.self, List.self, Show.self, Comment.self, Cancel.self])

    struct Request: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Requests approval of the files that the drafts generate now.")

        @Argument(help: "The domains.") var hosts: [String] = []
        @Option(help: "All domains with this label, instead of named domains.") var label: String?
        @Option(name: .customLong("version"), help: "A saved version of one domain, instead of its draft.")
        var number: Int?
        @Option(help: "What the people who approve should know.") var message: String
        @OptionGroup var remote: RemoteOptions

        func validate() throws {
            if hosts.isEmpty == (label == nil) { throw ValidationError("Name domains or use --label, not both.") }
            if number != nil, hosts.count != 1 { throw ValidationError("--version needs exactly one domain.") }
        }

        func run() async throws {
            var body: JSONObject = ["message": .string(message)]
            if let label { body["label"] = .string(label) } else { body["hosts"] = .array(hosts.map(JSONValue.string)) }
            if let number { body["version"] = .int(number) }
            let wanted = JSONValue.object(body)
            let made = try await RemoteAPI.with(url: remote.url) { api in
                try remote.accepted(try await api.post("/v1/approval-requests", wanted))
            }
            try remote.say(made, ApprovalText.whole(made))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists requests, newest first.")

        @Flag(help: "Only requests that have not ended.") var pending = false
        @Option(help: "Only requests for this domain.") var host: String?
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let filters = [pending ? "state=pending" : nil, host.map { "host=\(RemoteAPI.segment($0))" }]
            let query = filters.compactMap(\.self).joined(separator: "&")
            let path = "/v1/approval-requests" + (query.isEmpty ? "" : "?\(query)")
            let items = try await RemoteAPI.with(url: remote.url) { try await $0.all(path, remote) }
            try remote.say(.array(items), items.map(ApprovalText.line).joined(separator: "\n"))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows a request, its files and its reviews.")

        @Argument(help: "The request's ID.") var id: String
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let path = ApprovalText.path(id)
            let found = try await RemoteAPI.with(url: remote.url) { try remote.accepted(try await $0.get(path)) }
            try remote.say(found, ApprovalText.whole(found))
            guard found["state"] == "approved" || found["state"] == "published" else { throw Ending.notRight }
        }
    }

    struct Comment: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds a comment to a request.")

        @Argument(help: "The request's ID.") var id: String
        @Argument(help: "The comment.") var text: String
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let (path, body): (String, JSONValue) = (ApprovalText.path(id) + "/comments", ["text": .string(text)])
            let changed = try await RemoteAPI.with(url: remote.url) {
                try remote.accepted(try await $0.post(path, body))
            }
            try remote.say(changed, ApprovalText.whole(changed))
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Cancels a request, with the approvals that it has.")

        @Argument(help: "The request's ID.") var id: String
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let path = ApprovalText.path(id)
            let cancelled = try await RemoteAPI.with(url: remote.url) { try remote.accepted(try await $0.delete(path)) }
            try remote.say(cancelled, ApprovalText.line(cancelled))
        }
    }
}

/// Texts about requests for approval.
private enum ApprovalText {
    static func path(_ id: String) -> String { "/v1/approval-requests/\(RemoteAPI.segment(id))" }

    /// A request on one line.
    static func line(_ request: JSONValue) -> String {
        let hosts = (request["hosts"]?.array ?? []).compactMap(\.line)
        let shown = hosts.prefix(3).joined(separator: ", ") + (hosts.count > 3 ? " and \(hosts.count - 3) more" : "")
        return "\(request["id"]?.string ?? "")  \(request["state"]?.string ?? "")  \(shown)  "
            + (request["message"]?.line ?? "")
    }

    /// A request with a line for each file and each review.
    static func whole(_ request: JSONValue) -> String {
        let files = (request["files"]?.array ?? []).map { file in
            let number: (String) -> String = { file[$0]?.int.map(String.init) ?? "0" }
            let changed = file["outdated"] == true ? ", the draft has changed since" : ""
            let live = file["live"] == true ? ", is live" : ""
            return
                "  \(file["host"]?.line ?? ""): \(number("given")) of \(number("required")) approvals\(changed)\(live)"
        }
        let reviews = (request["reviews"]?.array ?? []).map { review in
            "  \(review["kind"]?.string ?? "") by \(review["author"]?["name"]?.line ?? ""): \(review["text"]?.line ?? "")"
        }
        return ([line(request)] + files + reviews).joined(separator: "\n")
    }
}
