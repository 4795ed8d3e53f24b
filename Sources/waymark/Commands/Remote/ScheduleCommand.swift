import ArgumentParser
import StrictJSON

/// `waymark schedule`.
struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Manages recurring publish jobs.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. You can use the name or the ID of a schedule.

              waymark schedule preview "30 2 * * *" --zone America/New_York
              waymark schedule create "weekday mornings" --label shop --cron "0 9 * * MON-FRI" --zone Europe/Berlin
              waymark schedule pause "weekday mornings" --reason "until the new app is out"

            Exit codes: 0 success; 1 in conflict with the current state, or a domain of a run was not published; 2 the request \
            is invalid, such as a wrong expression; 3 other errors.
            """,
        subcommands: [
            List.self, Show.self, Create.self, Preview.self, Pause.self, Resume.self, Run.self, Delete.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists schedules with their next runs.")

        @Option(help: "Only schedules that publish this domain.") var host: String?
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let path = "/v1/schedules" + (host.map { "?host=" + RemoteAPI.segment($0) } ?? "")
            let items = try await RemoteAPI.with(url: remote.url) { try await $0.all(path, remote) }
            try remote.say(.array(items), items.map(ScheduleText.line).joined(separator: "\n"))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows a schedule and its last runs.")

        @OptionGroup var schedule: NamedSchedule

        func run() async throws {
            let (found, runs) = try await RemoteAPI.with(url: schedule.remote.url) { api in
                let found = try await schedule.found(api)
                let runs = try schedule.remote.accepted(try await api.get(schedule.path(found) + "/runs?limit=10"))
                return (found, runs["items"]?.array ?? [])
            }
            try schedule.remote.say(
                ["schedule": found, "runs": .array(runs)],
                ([ScheduleText.line(found)] + runs.map { "  " + ScheduleText.run($0) }).joined(separator: "\n"))
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a schedule for a domain or for a label.")

        @Argument(help: "Its name.") var name: String
        @Option(help: "The domain.") var host: String?
        @Option(help: "Every domain with this label.") var label: String?
        @Option(help: "The times: five fields as in crontab, or a name such as @daily.") var cron: String
        @Option(help: "The IANA time zone.") var zone: String
        @Option(help: "The message of its publications.") var message: String?
        @Option(help: "How long a missed run is caught up, in seconds. The default is six hours.") var catchUp: Int?
        @OptionGroup var remote: RemoteOptions

        func validate() throws {
            if (host == nil) == (label == nil) { throw ValidationError("Use either --host or --label.") }
        }

        func run() async throws {
            var body = JSONObject([("name", .string(name)), ("expression", .string(cron)), ("zone", .string(zone))])
            if let host { body["host"] = .string(host) }
            if let label { body["label"] = .string(label) }
            if let message { body["message"] = .string(message) }
            if let catchUp { body["catchUpSeconds"] = .int(catchUp) }
            let wanted = JSONValue.object(body)
            let made = try await RemoteAPI.with(url: remote.url) { api in
                let made = try remote.accepted(try await api.post("/v1/schedules", wanted))
                await api.warnIfUnused(label)
                return made
            }
            try remote.say(made, ScheduleText.line(made))
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows the next runs of an expression.")

        @Argument(help: "Five fields as in crontab, or a name such as @daily.") var cron: String
        @Option(help: "The IANA time zone.") var zone: String
        @Option(help: "The number of runs, at most 50.") var count = 10
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let asked: JSONValue = ["expression": .string(cron), "zone": .string(zone), "count": .int(count)]
            let preview = try await RemoteAPI.with(url: remote.url) { api in
                try remote.accepted(try await api.post("/v1/schedule-previews", asked))
            }
            let runs = (preview["runs"]?.array ?? []).map { run in
                "\(run["local"]?.string ?? "")  \(run["at"]?.string ?? "")"
                    + (run["note"]?.string.map { "  \(run["expressed"]?.string ?? "") \($0)" } ?? "")
            }
            try remote.say(preview, ([preview["words"]?.string ?? ""] + runs).joined(separator: "\n"))
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pauses a schedule; missed runs are skipped.")

        @OptionGroup var schedule: NamedSchedule
        @Option(help: "The reason, stored with the schedule.") var reason: String?

        func run() async throws {
            var change = JSONObject([("state", "paused")])
            if let reason { change["reason"] = .string(reason) }
            try await schedule.change(.object(change))
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resumes a paused or suspended schedule.")

        @OptionGroup var schedule: NamedSchedule

        func run() async throws { try await schedule.change(["state": "active"]) }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Runs a schedule now and waits for the outcomes.")

        @OptionGroup var schedule: NamedSchedule
        @Flag(help: "Do not wait.") var noWait = false

        func run() async throws {
            let (run, outcomes) = try await RemoteAPI.with(url: schedule.remote.url) { api in
                let found = try await schedule.found(api)
                await api.warnIfUnused(found["label"]?.string)
                let path = schedule.path(found) + "/runs"
                var run = try schedule.remote.accepted(try await api.post(path, [:]))
                let own = "\(path)/\(run["id"]?.string ?? "")"
                if !noWait {
                    run = try await api.ending(of: run, at: own, through: ["running"], schedule.remote)
                }
                return (run, try await api.all("\(own)/outcomes", schedule.remote, patiently: true))
            }
            try schedule.remote.say(
                ["run": run, "outcomes": .array(outcomes)],
                ([ScheduleText.run(run)] + outcomes.map(ScheduleText.outcome)).joined(separator: "\n"))
            if outcomes.contains(where: { $0["outcome"]?.string != "published" }) {
                throw Ending.notRight
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a schedule and the history of its runs.")

        @OptionGroup var schedule: NamedSchedule

        func run() async throws {
            let found = try await RemoteAPI.with(url: schedule.remote.url) { api in
                let found = try await schedule.found(api)
                _ = try schedule.remote.accepted(
                    try await api.delete(schedule.path(found), ifMatch: "\"\(found["revision"]?.number?.int ?? 0)\""))
                return found
            }
            try schedule.remote.say(found, "\(found["name"]?.line ?? ""): deleted")
        }
    }
}

/// The argument that names a schedule.
struct NamedSchedule: ParsableArguments {
    @Argument(help: "The schedule's name or ID.") var schedule: String
    @OptionGroup var remote: RemoteOptions

    /// Finds the schedule by its name or, if no name matches, by its ID.
    func found(_ api: RemoteAPI) async throws -> JSONValue {
        let all = try await api.all("/v1/schedules", remote)
        let found = all.first { $0["name"]?.string == schedule } ?? all.first { $0["id"]?.string == schedule }
        guard let found else {
            Console.complain("waymark: There is no schedule \(schedule).")
            throw Ending.failed
        }
        return found
    }

    /// The schedule's path.
    func path(_ found: JSONValue) -> String { "/v1/schedules/\(found["id"]?.string ?? "")" }

    /// Changes the schedule and prints it.
    func change(_ change: JSONValue) async throws {
        let changed = try await RemoteAPI.with(url: remote.url) { api in
            let found = try await found(api)
            let tag = "\"\(found["revision"]?.number?.int ?? 0)\""
            return try remote.accepted(try await api.patch(path(found), change, ifMatch: tag))
        }
        try remote.say(changed, ScheduleText.line(changed))
    }
}

/// Texts about schedules and their runs.
private enum ScheduleText {
    static func line(_ schedule: JSONValue) -> String {
        let state = schedule["state"]?.string ?? ""
        let target = schedule["host"]?.string ?? "label \(schedule["label"]?.line ?? "")"
        let standing =
            switch state {
            case "active" where schedule["overdue"] == true:
                "overdue since \(schedule["nextDueAt"]?.string ?? ""): no worker has started it"
            case "active": schedule["nextDueAt"]?.string.map { "next run at \($0)" } ?? "no next run"
            default: state + (schedule["reason"]?.line.map { ": \($0)" } ?? "")
            }
        let freeze = schedule["freeze"]?["reason"]?.line.map { "; frozen: \($0)" } ?? ""
        return "\(schedule["name"]?.line ?? "")  \(target)  \(schedule["words"]?.string ?? "") "
            + "(\(schedule["zone"]?.string ?? ""))  \(standing)\(freeze)"
    }

    static func run(_ run: JSONValue) -> String {
        let outcomes = (run["outcomes"]?.object?.members ?? []).filter { ($0.value.number?.int ?? 0) > 0 }
            .map { "\($0.value.number?.int ?? 0) \($0.name)" }.joined(separator: ", ")
        let missed = run["missed"]?.number?.int ?? 0
        return "\(run["dueAt"]?.string ?? "")  \(run["kind"]?.string ?? "")  \(run["state"]?.string ?? "")"
            + (outcomes.isEmpty ? "" : "  \(outcomes)") + (missed > 0 ? "  \(missed) missed before it" : "")
    }

    static func outcome(_ outcome: JSONValue) -> String {
        let failed = (outcome["report"]?["checks"]?.array ?? []).filter { $0["outcome"]?.string == "failed" }
            .compactMap { $0["detail"]?.string }.joined(separator: " ")
        let why = outcome["cause"]?.line ?? failed
        return "  \(outcome["host"]?.string ?? "")  \(outcome["outcome"]?.string ?? "")"
            + (why.isEmpty ? "" : ": \(why)")
    }
}
