import AASA
import FoundationEssentials
import HTTPTypes
import Storage
import StrictJSON

/// `/v1/organization/export`: everything that the organization has, as lines of JSON in the shapes of the other routes.
extension API {
    /// A part of the export. The link to the next part continues after its last line.
    func exportOrganization(_ call: Call, _ member: Member) async throws -> Answer {
        let list = "/v1/organization/export"
        var place: ExportPlace? = ExportPlace(kind: .organization)
        if let cursor = call.query("cursor") {
            guard let found = Cursor.key(of: cursor, in: list).flatMap(ExportPlace.init(text:)) else {
                throw APIError.foreignCursor
            }
            place = found
        }
        let start = place
        let (lines, next) = try await read(as: member) { try $0.exported(from: start, for: member) }
        var answer = Answer(
            fields: [.contentType: "application/x-ndjson", .cacheControl: "no-store"], body: lines)
        if let next {
            answer.fields[.link] = "<\(list)?cursor=\(Cursor.text(of: next.text, in: list))>; rel=\"next\""
        }
        return answer
    }
}

/// The kinds of records, in the order of the export. A record that can be restored refers only to earlier ones.
enum ExportKind: String, CaseIterable {
    case organization, team, app, domain, alias, version, schedule, freeze, approvalPolicy
    case publication, withdrawal, run, outcome, release, releaseDomain, approvalRequest
    case member, invitation, token, trust, signInProvider

    /// The next kind, or `nil` after the last one.
    var next: ExportKind? { Self.allCases.drop { $0 != self }.dropFirst().first }

    /// The maximum number of records that are read together. A domain has its draft and up to 1,000 tests, a version its
    /// file, and a judged domain its report.
    var limit: Int {
        switch self {
        case .domain, .alias: 5
        case .version, .outcome, .releaseDomain: 20
        default: 200
        }
    }
}

/// A place in an export: before the first record of a kind, or after one of its records.
struct ExportPlace {
    var kind: ExportKind
    /// The key of the last record, or `nil` before the first one.
    var key: String?

    init(kind: ExportKind, key: String? = nil) {
        self.kind = kind
        self.key = key
    }

    init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let kind = parts.first.flatMap({ ExportKind(rawValue: String($0)) }) else { return nil }
        self.init(kind: kind, key: parts.count == 2 ? String(parts[1]) : nil)
    }

    var text: String { key.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue }
}

extension TenantTransaction {
    /// A part of an export becomes no longer than this number of bytes and the records that were read last.
    private static let partSize = 2 << 20
    /// The version of the format.
    private static let exportFormat = 1

    fileprivate func exported(from start: ExportPlace?, for reader: Member) throws -> ([UInt8], next: ExportPlace?) {
        var (bytes, place) = ([UInt8](), start)
        while let current = place, bytes.count < Self.partSize {
            let (values, next) = try values(Page(limit: current.kind.limit, after: current.key), current.kind, reader)
            for value in values {
                bytes += (["kind": .string(current.kind.rawValue), "value": value] as JSONValue).bytes() + [0x0A]
            }
            place =
                next.map { ExportPlace(kind: current.kind, key: $0) } ?? current.kind.next.map { ExportPlace(kind: $0) }
        }
        return (bytes, place)
    }

    private func values(
        _ page: Page, _ kind: ExportKind, _ reader: Member
    ) throws -> (values: [JSONValue], next: String?) {
        func all<Item>(_ listing: Listing<Item>, _ json: (Item) throws -> JSONValue) rethrows -> ([JSONValue], String?)
        {
            (try listing.items.map(json), listing.next)
        }
        switch kind {
        case .organization:
            let organization = try currentOrganization()
            var object = organization.json.object ?? [:]
            object["id"] = .string(organization.id.description)
            object["format"] = .int(Self.exportFormat)
            object["exportedAt"] = .time(try clock())
            return ([.object(object)], nil)
        case .team: return try all(teams(page), \.json)
        case .app: return try all(apps(page), \.json)
        case .domain, .alias:
            let domains = try domains(page)
            let wanted = domains.items.filter { ($0.aliasOf != nil) == (kind == .alias) }
            return (try wanted.map(exported), domains.next)
        case .version:
            return try all(exportedVersions(page)) { found in
                var object = found.version.json.object ?? [:]
                object["host"] = .string(found.host.description)
                object["file"] = .string(String(decoding: found.file, as: UTF8.self))
                return .object(object)
            }
        case .schedule:
            let schedules = try schedules(page)
            return (try json(of: schedules.items), schedules.next)
        case .freeze: return try all(freezes(page), \.json)
        case .approvalPolicy: return try all(approvalPolicies(page), \.json)
        case .publication:
            let publications = try publications(page)
            return (try details(of: publications.items).map(\.json), publications.next)
        case .withdrawal: return try all(exportedWithdrawals(page), \.json)
        case .run: return try all(exportedRuns(page), \.json)
        case .outcome: return try all(exportedOutcomes(page)) { $0.part.json.adding("run", $0.whole.description) }
        case .release: return try all(releases(page)) { $0.json(freeze: nil, detail: nil) }
        case .releaseDomain:
            return try all(exportedReleaseDomains(page)) { $0.part.json.adding("release", $0.whole.description) }
        case .approvalRequest: return try all(approvalRequests(page)) { $0.json(reviews: try reviews(of: $0.id)) }
        case .member: return try all(members(page)) { $0.json(for: reader) }
        case .invitation: return try all(invitations(page)) { $0.json() }
        case .token: return try all(tokens(page), \.json)
        case .trust: return try all(trusts(page), \.json)
        case .signInProvider: return (try signInProvider().map { [$0.json] } ?? [], nil)
        }
    }

    /// The domain with its draft and its tests. An alias has neither.
    private func exported(_ domain: Domain) throws -> JSONValue {
        var object = domain.json.object ?? [:]
        if domain.aliasOf == nil {
            object["document"] = try draft(domain.host).draft.json
            object["tests"] = .array(try allTests(domain.host).map(\.test.json))
        }
        return .object(object)
    }
}

extension JSONValue {
    /// An object with another member.
    fileprivate func adding(_ name: String, _ value: String) -> JSONValue {
        var object = object ?? [:]
        object[name] = .string(value)
        return .object(object)
    }
}
