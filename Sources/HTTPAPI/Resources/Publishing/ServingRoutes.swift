import HTTPTypes
import Storage
import StrictJSON

/// The progress of published files. Consumers send reports, and members read the progress of a domain.
extension API {
    func showServing(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        return .json(try await read(as: member) { try $0.serving(of: host).json })
    }

    func takeReport(_ call: Call) async throws -> Answer {
        let report = try call.decode { reader -> ConsumerReport? in
            let consumer = reader.required("consumer", .name)
            let kind = reader.required("kind", .choice(of: ConsumerReport.Kind.self))
            let process = reader.required("process", .text(min: 1, max: 64))
            let sequence = reader.required("sequence", .int(in: 1...Self.largestNumber))
            let activation = reader.optional("activation", .int(in: 0...Self.largestNumber))
            let hosts = reader.required("hosts", .int(in: 0...Self.maximumHosts))
            let held = reader.required("held", .array(of: .text(min: 1, max: 253), max: 100))
            let heldCount = reader.required("heldCount", .int(in: 0...Self.maximumHosts))
            let trouble = reader.optional("trouble", .trouble)
            let fetches = reader.required("fetches", .array(of: .fetches, max: 1_000))
            guard let consumer, let kind, let process, let sequence, let hosts, let held, let heldCount, let fetches
            else { return nil }
            return ConsumerReport(
                consumer: consumer, kind: kind, process: process, sequence: sequence, activation: activation,
                hosts: hosts, held: held, heldCount: heldCount, trouble: trouble, fetches: fetches)
        }
        try await store.record(report)
        return .noContent
    }

    /// The largest whole number that all JSON parsers represent exactly (RFC 8259, section 6).
    fileprivate static let largestNumber = 1 << 53
    fileprivate static let maximumHosts = 1 << 31 - 1
}

extension JSONShape where Value == String {
    /// Text that is one line of printable ASCII, because pages and terminals show it.
    fileprivate static var trouble: JSONShape<String> {
        .text(min: 1, max: 500).then { (text: String) throws(NotPrintable) in
            guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw NotPrintable() }
            return text
        }
    }
}

private struct NotPrintable: JSONFaultReason {
    var code: String { "not_printable" }
    var detail: String { "must be one line of printable ASCII" }
}

extension JSONShape where Value == ConsumerReport.Fetches {
    fileprivate static var fetches: JSONShape<ConsumerReport.Fetches> {
        .object { reader in
            let host = reader.required("host", .text(min: 1, max: 253))
            let version = reader.required("version", .int(in: 1...(1 << 31 - 1)))
            let client = reader.required("client", .choice(of: ConsumerReport.Client.self))
            let count = reader.required("count", .int(in: 1...(1 << 40)))
            // Times in seconds since 1970, up to the end of the year 9999.
            let first = reader.required("first", .int(in: 0...253_402_300_799))
            let last = reader.required("last", .int(in: 0...253_402_300_799))
            guard let host, let version, let client, let count, let first, let last else { return nil }
            return ConsumerReport.Fetches(
                host: host, version: version, client: client, count: count, first: first, last: last)
        }
    }
}

extension DomainServing {
    var json: JSONValue {
        [
            "live": live?.json ?? .null, "consumers": .array(consumers.map(\.json)),
            "buckets": .array(buckets.map(\.json)), "fetches": .array(fetches.map(\.json)),
        ]
    }
}

extension DomainServing.Consumer {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "kind": .string(kind.rawValue), "activation": .number(activation),
            "version": version.map(JSONValue.int) ?? .null, "appliedAt": .time(appliedAt), "seenAt": .time(seenAt),
            "current": isCurrent.map(JSONValue.bool) ?? .null, "lag": lag.map { .int($0) } ?? .null,
            "trouble": .text(trouble), "troubleSince": .time(troubleSince),
        ]
    }
}

extension DomainServing.Bucket {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "state": .string(state.rawValue), "activation": .number(activation),
            "version": version.map(JSONValue.int) ?? .null,
            "since": since.map(JSONValue.time) ?? .null, "cause": cause.map(JSONValue.string) ?? .null,
            "listingCause": listingCause.map(JSONValue.string) ?? .null,
            "comparedAt": comparedAt.map(JSONValue.time) ?? .null,
        ]
    }
}

extension FetchSummary {
    fileprivate var json: JSONValue {
        [
            "version": .int(version), "client": .string(client.rawValue), "count": .int(count),
            "firstAt": .time(firstAt), "lastAt": .time(lastAt),
        ]
    }
}
