import AASA
import HTTPTypes
import SignedFile
import Storage
import StrictJSON

/// `POST /v1/domains/{host}/import`: imports an existing file as the draft.
extension API {
    func importFile(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let revision = try Preconditions.requiredRevision(call.request)
        let registers = try call.flag("register")
        if registers { try member.requireUnlimited() }
        let association = try Association(uploaded: call.body)
        let (imported, report) = Draft.importing(association, makeID: Draft.newID)
        let result = try await write(as: member) { tenant in
            try tenant.require(member.grant, toReach: [host])
            let old = try tenant.lockedDraft(host, expecting: revision)
            let draft = imported.replacing(old.draft)
            let stored = try tenant.saveDraft(draft, of: host, replacing: old, as: .draftImported)
            let known = try tenant.registered(among: draft.apps)
            let unknown = draft.apps.compactMap { try? AppID($0) }.filter { !known.contains($0) }
            let added = registers ? try tenant.register(unknown) : []
            return Imported(stored: stored, known: known.union(added), added: added)
        }
        let draft = result.stored.draft
        let lint = draft.lint(draft.association().bytes, registered: result.known)
        let items = report.naming(errorsOf: ServedFile.lint(call.body), draft: lint).items
        return Answer.json([
            "draft": result.stored.json,
            "report": [
                "items": .array(items.map(\.json)),
                "unregisteredApps": .array(result.unregistered(draft.apps).map(JSONValue.string)),
                "registeredApps": .array(result.added.map { .string($0.description) }),
            ],
            "findings": .array(lint.findings.map(\.json)),
        ]).tagged(result.stored.revision)
    }
}

private struct Imported: Sendable {
    let stored: StoredDraft
    let known: Set<AppID>
    let added: [AppID]

    func unregistered(_ apps: [String]) -> [String] {
        apps.filter { app in (try? AppID(app)).map { !known.contains($0) } ?? true }
    }
}

extension TenantTransaction {
    /// Registers apps. Each app's App ID prefix becomes its team.
    fileprivate func register(_ ids: [AppID]) throws -> [AppID] {
        try ids.map { id in
            if try team(id.prefix) == nil { _ = try createTeam(id.prefix, name: id.prefix.description) }
            return try createApp(id, teamID: id.prefix, name: String(id.bundleID.description.prefix(200)))
                .appID
        }
    }
}

extension Association {
    /// Reads an uploaded file, signed or unsigned.
    /// - Throws: 422 `invalid_association` with the position of the error.
    init(uploaded bytes: [UInt8]) throws {
        var text = bytes
        do {
            text = try ServedFile(bytes).text
            try self.init(parsing: text)
        } catch {
            throw APIError(.unprocessableContent, "invalid_association", error.advice(on: text))
                .with("line", error.position.map { .int($0.line) } ?? .null)
                .with("column", error.position.map { .int($0.column) } ?? .null)
        }
    }
}

extension ImportReport.Item {
    var json: JSONValue {
        [
            "pointer": .string(pointer.description), "action": .string(action.rawValue), "detail": .string(detail),
        ]
    }
}
