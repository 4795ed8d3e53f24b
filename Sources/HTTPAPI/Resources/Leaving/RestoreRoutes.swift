import AASA
import FoundationEssentials
import HTTPTypes
import Publishing
import Storage
import StrictJSON

/// `/v1/organization/restorations`: adds the records of an export. Nothing goes live: hosts must be verified here, and
/// files published, as for new domains.
extension API {
    /// The maximum number of records in a request.
    static let maximumRestoredRecords = 100

    /// Restores records in one transaction. What exists already stays as it is, so a restoration can be repeated. Records
    /// about people and access are not restored.
    func restoreRecords(_ call: Call, _ member: Member) async throws -> Answer {
        let records = try call.decode {
            $0.required("records", .array(of: .restoredRecord, max: Self.maximumRestoredRecords))
        }
        let counts = try await write(as: member, deadline: .seconds(20)) { [publisher] tenant in
            var counts: [Restored: Int] = [:]
            for (index, record) in records.enumerated() {
                do {
                    counts[try tenant.restore(record, at: index, by: member, publisher), default: 0] += 1
                } catch {
                    guard let problem = APIError(error) else { throw error }
                    throw problem.with("record", .int(index))
                }
            }
            return counts
        }
        return .json(.object(JSONObject(Restored.allCases.map { ($0.rawValue, .int(counts[$0] ?? 0)) })))
    }
}

/// What became of a record.
private enum Restored: String, CaseIterable {
    /// It was added.
    case restored
    /// It exists already.
    case existing
    /// Records of its kind are not restored.
    case ignored
}

private struct RestoredRecord: Sendable {
    let kind: ExportKind
    let value: JSONObject
}

extension JSONShape where Value == RestoredRecord {
    fileprivate static var restoredRecord: JSONShape {
        .object { reader in
            let kind = reader.required("kind", .choice(of: ExportKind.self))
            let value = reader.required("value", .anyObject)
            guard let kind, let value else { return nil }
            return RestoredRecord(kind: kind, value: value)
        }
    }
}

extension TenantTransaction {
    fileprivate func restore(
        _ record: RestoredRecord, at index: Int, by member: Member, _ publisher: Publisher
    ) throws -> Restored {
        let pointer = JSONPointer(tokens: ["records", "\(index)", "value"])
        /// Decodes the members of the record with these names.
        func decode<Value>(_ names: [String], _ read: @escaping (JSONObjectReader) -> Value?) throws -> Value {
            let members = record.value.members.filter { names.contains($0.name) && !$0.value.isNull }
            let object = JSONObject(members.map { ($0.name, $0.value) })
            return try JSONObjectReader.decode(.object(object), at: pointer, read)
        }
        switch record.kind {
        case .team:
            let new = try decode(["teamID", "name"], NewTeam.init(reader:))
            guard try team(new.id) == nil else { return .existing }
            _ = try createTeam(new.id, name: new.name)
        case .app:
            let new = try decode(["teamID", "bundleID", "prefix", "name", "kind", "appStoreID"], NewApp.init(reader:))
            guard try app(new.appID) == nil else { return .existing }
            _ = try createApp(
                new.appID, teamID: new.teamID, name: new.name, kind: new.kind, appStoreID: new.appStoreID)
        case .domain, .alias:
            let new = try decode(["host", "aliasOf", "labels"]) { reader -> NewDomain? in
                let host = reader.required("host", .host)
                let target = reader.optional("aliasOf", .host)
                let labels = reader.optional("labels", .labels, default: [])
                return host.map { NewDomain(host: $0, aliasOf: target, labels: labels) }
            }
            guard try !hasDomain(new.host) else { return .existing }
            _ = try createDomain(new.host, aliasOf: new.aliasOf, labels: new.labels, as: member.role)
            if new.aliasOf == nil { try restoreDraft(of: new.host, record.value, pointer) }
        case .version:
            let new = try decode(["host", "version", "message", "file"]) { reader -> RestoredVersion? in
                let host = reader.required("host", .host)
                let number = reader.required("version", .int(in: 1...Int(Int32.max)))
                let message = reader.optional("message", .remark, default: "")
                let file = reader.required("file", .text(max: Gate.sizeLimit))
                guard let host, let number, let file else { return nil }
                return RestoredVersion(host: host, number: number, message: message, file: Array(file.utf8))
            }
            guard try hasDomain(new.host) else {
                throw JSONFault(
                    pointer: pointer.appending("host"), code: "unknown_domain",
                    detail: "must be a domain of the organization; restore it before its versions")
            }
            let last = try lastVersion(of: new.host)
            guard new.number > last else { return .existing }
            guard new.number == last + 1 else {
                throw JSONFault(
                    pointer: pointer.appending("version"), code: "out_of_order",
                    detail: "must be \(last + 1), the next version of \(new.host)")
            }
            _ = try publisher.restore(new.file, of: new.host, message: new.message, in: self)
        case .schedule:
            let names = ["name", "host", "label", "expression", "zone", "message", "catchUpSeconds"]
            let settings = try decode(names, Schedule.Settings.init(reader:))
            guard try schedule(named: settings.name) == nil else { return .existing }
            let made = try createSchedule(settings)
            _ = try updateSchedule(made.id, expecting: nil, state: .paused, reason: "Restored from an export.")
        case .approvalPolicy:
            let new = try decode(["label", "approvals"]) { reader -> ApprovalPolicy.Terms? in
                let label = reader.optional("label", .label)
                let approvals = reader.required("approvals", .int(in: ApprovalPolicy.approvals))
                return approvals.map { ApprovalPolicy.Terms(label: label, approvals: $0) }
            }
            guard try !hasApprovalPolicy(for: new.label) else { return .existing }
            // As for every approval policy: only in person, and confirmed.
            guard member.user != nil else { return .ignored }
            guard member.hasConfirmed else { throw APIError.confirmationRequired }
            _ = try createApprovalPolicy(new)
        default: return .ignored
        }
        return .restored
    }

    private func restoreDraft(of host: Host, _ value: JSONObject, _ pointer: JSONPointer) throws {
        if let document = value["document"], !document.isNull {
            let draft = try Draft(answer: document)
            let old = try lockedDraft(host, expecting: nil)
            if draft != old.draft { _ = try saveDraft(draft, of: host, replacing: old, as: .draftImported) }
        }
        if let tests = value["tests"], tests.array?.isEmpty == false {
            let suite = try LinkTestSuite(parsing: (["tests": tests] as JSONValue).bytes(), on: host)
            _ = try importTests(suite, of: host, replacing: false)
        }
    }
}

private struct NewDomain: Sendable {
    let host: Host
    let aliasOf: Host?
    let labels: [String]
}

private struct RestoredVersion: Sendable {
    let host: Host
    let number: Int
    let message: String
    let file: [UInt8]
}
