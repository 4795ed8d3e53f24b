import AASA
import HTTPTypes
import Hex
import Publishing
import Storage
import StrictJSON

/// `/v1/domains/{host}/draft`: the editable form of a domain's file.
extension API {
    func showDraft(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let stored = try await read(as: member) { try $0.draft(host) }
        return call.unlessKnown(stored.revision) { .json(stored.json) }
    }

    func replaceDraft(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let revision = try Preconditions.requiredRevision(call.request)
        let draft = try Draft(answer: call.json())
        let stored = try await write(as: member) { tenant in
            let old = try tenant.lockedDraft(host, expecting: revision)
            return try tenant.saveDraft(draft, of: host, replacing: old)
        }
        return .json(stored.json).tagged(stored.revision)
    }

    /// Loads a version into the draft: the one with the given number or the live one. Discards all other changes of the
    /// draft.
    func resetDraft(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let revision = try Preconditions.requiredRevision(call.request)
        let source = try call.decode { $0.required("version", .resetSource) }
        let stored = try await write(as: member) { tenant in
            let old = try tenant.lockedDraft(host, expecting: revision)
            let number = try source.version(of: host, in: tenant)
            let file = try Association(uploaded: tenant.file(ofVersion: number, of: host))
            let draft = Draft.restoring(file, over: old.draft, makeID: Draft.newID)
            return try tenant.saveDraft(draft, of: host, replacing: old, as: .draftReset, version: number)
        }
        return .json(stored.json).tagged(stored.revision)
    }

    func showDraftFile(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let stored = try await read(as: member) { try $0.draft(host) }
        return call.unlessKnown(stored.revision) {
            Answer(.ok, fields: [.contentType: "application/json"], body: stored.contents.file.bytes)
        }
    }

    func showDraftFindings(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let (stored, registered) = try await read(as: member) { tenant in
            let stored = try tenant.draft(host)
            return (stored, try tenant.registered(among: stored.draft.apps))
        }
        let file = stored.contents.file
        let report = stored.contents.report(registered: registered)
        return Answer.json([
            "size": .int(file.bytes.count), "limit": .int(Association.maximumSize),
            "sha256": .string(Hexadecimal.encode(file.sha256)), "findings": .array(report.findings.map(\.json)),
        ]).tagged(stored.revision)
    }
}

private enum ResetSource: Sendable {
    case live
    case version(Int)

    func version(of host: Host, in tenant: TenantTransaction) throws -> Int {
        switch self {
        case .version(let number): return number
        case .live:
            guard let live = try tenant.domain(host).live else { throw APIError.nothingLive(host) }
            return live.version
        }
    }
}

extension JSONShape where Value == ResetSource {
    fileprivate static var resetSource: JSONShape<ResetSource> {
        JSONShape<ResetSource> { value, pointer, faults in
            if value == "live" { return .live }
            if let number = value.int, (1...Int(Int32.max)).contains(number) { return .version(number) }
            faults.add(pointer, "invalid_choice", "must be \"live\" or a version number")
            return nil
        }
    }
}

extension StoredDraft {
    var json: JSONValue {
        var object = JSONObject([("revision", .int(revision))])
        for member in draft.json.object?.members ?? [] { object[member.name] = member.value }
        object["updatedAt"] = .time(updatedAt)
        return .object(object)
    }
}

extension Draft {
    /// Creates an ID for an entry or rule.
    static func newID() -> String { ID<Draft>().description }

    /// Reads a draft in the format that the API returns. Ignores members that the server sets, so clients can send a
    /// received draft back.
    init(answer value: JSONValue) throws(JSONFaults) {
        var object = value.object
        object?["revision"] = nil
        object?["updatedAt"] = nil
        try self.init(json: object.map(JSONValue.object) ?? value, isSent: true, makeID: Draft.newID)
    }
}

extension Call {
    /// Returns the response with the draft's revision as its ETag, or 304 if the client already has this revision.
    func unlessKnown(_ revision: Int, _ answer: () -> Answer) -> Answer {
        let known = Preconditions.isKnown(Preconditions.tag(revision), request)
        return (known ? Answer(.notModified) : answer()).tagged(revision)
    }
}
