public import AASA
import Crypto
public import FoundationEssentials
import Postgres
import StrictJSON

/// The editable state of a domain, at a revision.
public struct StoredDraft: Sendable {
    /// Increases by one with every change.
    public let revision: Int
    /// The draft.
    public internal(set) var draft: Draft
    /// When it was last changed.
    public let updatedAt: Date

    init(row: Row) throws {
        revision = try row.decode("revision", as: Int.self)
        draft = try Draft(json: row.json("document")) { ID<Draft>().description }
        updatedAt = try row.decode("updated_at", as: Date.self)
    }
}

extension TenantTransaction {
    /// The draft of a domain. Throws `notFound`, or `isAlias` for a domain that serves the file of another.
    public func draft(_ host: Host) throws -> StoredDraft {
        try storedDraft(
            """
            \(fragment: selectingDraft(host))
            """, host)
    }

    /// The draft, locked until the transaction ends. Throws `revisionMoved` if it is not at the expected revision.
    public func lockedDraft(_ host: Host, expecting revision: Int?) throws -> StoredDraft {
        let stored = try storedDraft("\(fragment: selectingDraft(host)) for update of drafts", host)
        if let revision, revision != stored.revision { throw StorageError.revisionMoved(current: stored.revision) }
        return stored
    }

    /// Replaces the draft at the revision that was read and locked. `kind` is the kind of the audit entry, `rule` the
    /// rule that was changed, and `version` the version that was loaded, if any.
    public func saveDraft(
        _ draft: Draft, of host: Host, replacing old: StoredDraft, as kind: EventKind = .draftChanged,
        rule: String? = nil, version: Int? = nil
    ) throws -> StoredDraft {
        let file = draft.association().bytes
        let row = try database.first(
            """
            update drafts
            set revision = revision + 1, document = \(draft.json.text)::json, file_sha256 = \(digest(file)),
              file_size = \(file.count), updated_at = clock_timestamp()
            where organization_id = \(organization.uuid) and host = \(host.description) and revision = \(old.revision)
            returning revision, document, updated_at
            """)
        guard let row else { throw StorageError.revisionMoved(current: try self.draft(host).revision) }
        let stored = try StoredDraft(row: row)
        if draft.apps != old.draft.apps { try replaceNamedApps(of: host, with: draft.apps) }
        var detail: JSONObject = ["revision": .int(stored.revision), "rule": .detail(rule)]
        detail["version"] = version.map { .int($0) }
        try audit(kind, host, .object(detail))
        return stored
    }

    func insertEmptyDraft(_ host: Host) throws {
        let draft = Draft()
        let file = draft.association().bytes
        try database.execute(
            """
            insert into drafts (organization_id, host, revision, document, file_sha256, file_size)
            values (
              \(organization.uuid), \(host.description), 1, \(draft.json.text)::json, \(digest(file)), \(file.count))
            """)
    }

    private func replaceNamedApps(of host: Host, with apps: [String]) throws {
        try database.execute(
            "delete from draft_apps where organization_id = \(organization.uuid) and host = \(host.description)")
        try database.execute(
            """
            insert into draft_apps (organization_id, host, app_id)
            select \(organization.uuid), \(host.description), named.app_id
            from unnest(\(apps)::text[]) as named (app_id)
            """)
    }

    private func selectingDraft(_ host: Host) -> SQL {
        """
        select drafts.revision, drafts.document, drafts.updated_at, domains.alias_of
        from drafts
        join domains on domains.organization_id = drafts.organization_id and domains.host = drafts.host
        where drafts.organization_id = \(organization.uuid) and drafts.host = \(host.description)
        """
    }

    private func storedDraft(_ statement: SQL, _ host: Host) throws -> StoredDraft {
        guard let row = try database.first(statement) else {
            throw StorageError.notFound(kind: "domain", key: host.description)
        }
        if let target = try row.decode("alias_of", as: String?.self) { throw StorageError.isAlias(of: target) }
        return try StoredDraft(row: row)
    }
}

/// The SHA-256 of a file's bytes.
public func digest(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
