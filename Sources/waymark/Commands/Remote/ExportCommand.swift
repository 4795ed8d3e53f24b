import ArgumentParser
import FoundationEssentials
import StrictJSON

/// `waymark export`.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints everything that an organization has as lines of JSON.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN, which needs the role owner. docs/leaving.md describes the lines. \
            Secrets are not part of them. `waymark audit export` exports the audit trail, with its proof.

              waymark export > acme.ndjson
              waymark export --files acme-files > acme.ndjson

            --files also writes the file of each version, as HOST/NUMBER.json.

            Exit codes: 0 success; 3 other errors.
            """)

    @Option(help: "A folder to write the file of each version to.") var files: String?
    @Option(help: "The API's address. The default is WAYMARK_URL or http://127.0.0.1:8080.") var url: String?

    func run() async throws {
        try await RemoteAPI.with(url: url) { api in
            var path: String? = "/v1/organization/export"
            while let current = path {
                let (answer, bytes) = try await api.downloadPatiently(current)
                guard answer.status == 200 else {
                    Console.complain(answer.complaint)
                    throw Ending.failed
                }
                try Console.answer(bytes)
                if let files { try write(bytes, to: files) }
                path = answer.next
            }
        }
    }

    private func write(_ lines: [UInt8], to folder: String) throws {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let record = try JSONValue(parsing: Array(line), limits: Self.limits)
            guard record["kind"]?.string == "version", let value = record["value"],
                let host = value["host"]?.string, let number = value["version"]?.int, let file = value["file"]?.string,
                !host.hasPrefix("."), !host.contains("/")
            else { continue }
            let place = "\(folder)/\(host)"
            do {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                try Data(file.utf8).write(to: URL(filePath: "\(place)/\(number).json"))
            } catch {
                throw Refusal("\(place)/\(number).json cannot be written: \(error)")
            }
        }
    }

    /// The limits of a record.
    static let limits = JSONLimits(bytes: 16 << 20, depth: 64, values: .max)
}

/// `waymark restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Adds the records of an export to an organization, here or on another installation.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN, which needs the role owner. Teams, apps, domains with their drafts \
            and tests, versions and schedules (paused) are restored. Approval policies are restored only on the dashboard, \
            because a token cannot require approvals. What exists already stays as it is, so the command can be repeated. \
            Nothing goes live: verify the domains, then publish.

              waymark restore acme.ndjson

            Exit codes: 0 success; 1 a record is refused; 2 the file is not an export; 3 other errors.
            """)

    @Argument(help: "The file; - reads standard input.") var file: String
    @OptionGroup var remote: RemoteOptions

    /// The maximum size of a request, and its number of records. A record has an eighth of the API's limit at most.
    private static let requestSize = 2 << 20
    private static let requestRecords = 100

    func run() async throws {
        let (batches, ignored) = try batches()
        var total = ["ignored": ignored]
        let names = ["restored", "existing", "ignored"]
        try await RemoteAPI.with(url: remote.url) { api in
            for batch in batches {
                let body: JSONValue = ["records": .array(batch.records)]
                let answer = try await api.post("/v1/organization/restorations", body)
                if answer.status >= 400, let place = answer.body["record"]?.int {
                    Console.complain("\(file):\(batch.lines[place]):")
                    // The command was used correctly, although the API's answer is 422.
                    _ = try? remote.accepted(answer)
                    throw Ending.notRight
                }
                let result = try remote.accepted(answer)
                for name in names { total[name, default: 0] += result[name]?.int ?? 0 }
            }
        }
        let counts = names.map { ($0, total[$0] ?? 0) }
        try remote.say(
            .object(JSONObject(counts.map { ($0.0, .int($0.1)) })),
            "\(counts[0].1) restored, \(counts[1].1) existed already, \(counts[2].1) of kinds that are not restored.")
    }

    private struct Batch {
        var lines: [Int] = []
        var records: [JSONValue] = []
        var size = 0
    }

    /// Kinds that are never restored and can be most of a file.
    private static let history: Set = [
        "publication", "withdrawal", "run", "outcome", "release", "releaseDomain", "approvalRequest",
    ]

    /// The records to send, and the number of the others.
    private func batches() throws -> ([Batch], ignored: Int) {
        var (batches, number, ignored) = ([Batch](), 0, 0)
        try InputFile.eachLine(of: file, upTo: ExportCommand.limits.bytes) { line in
            number += 1
            guard let record = try? JSONValue(parsing: line, limits: ExportCommand.limits), record["kind"] != nil else {
                Console.complain("\(file):\(number): this is not a record of an export")
                throw Ending.usage
            }
            if Self.history.contains(record["kind"]?.string ?? "") { return ignored += 1 }
            let hasRoom = batches.last.map {
                $0.size + line.count <= Self.requestSize && $0.records.count < Self.requestRecords
            }
            if hasRoom != true { batches.append(Batch()) }
            batches[batches.count - 1].lines.append(number)
            batches[batches.count - 1].records.append(record)
            batches[batches.count - 1].size += line.count
        }
        return (batches, ignored)
    }
}
