public import AASA
import Crypto
public import FoundationEssentials
import Postgres
import StrictJSON

/// The editable state of a domain, at a revision.
public struct StoredDraft: Sendable {
    /// Increases by one with every change.
    public let revision: Int
    /// The draft, with what follows from it.
    public private(set) var contents: DraftContents
    /// When it was last changed.
    public let updatedAt: Date

    /// The draft.
    public internal(set) var draft: Draft {
        get { contents.draft }
        set { contents = DraftContents(newValue) }
    }

    init(row: Row, _ contents: DraftContents? = nil) throws {
        revision = try row.decode("revision", as: Int.self)
        self.contents =
            try contents ?? DraftContents(Draft(json: row.json("document")) { ID<Draft>().description })
        updatedAt = try row.decode("updated_at", as: Date.self)
    }
}

extension TenantTransaction {
    /// The draft of a domain. Throws `notFound`, or `isAlias` for a domain that serves the file of another.
    public func draft(_ host: Host) throws -> StoredDraft { try storedDraft(host, locking: "") }

    /// The draft, locked until the transaction ends. Throws `revisionMoved` if it is not at the expected revision.
    public func lockedDraft(_ host: Host, expecting revision: Int?) throws -> StoredDraft {
        let stored = try storedDraft(host, locking: "for update of drafts")
        if let revision, revision != stored.revision { throw StorageError.revisionMoved(current: stored.revision) }
        return stored
    }

    /// Replaces the draft at the revision that was read and locked. `kind` is the kind of the audit entry, `rule` the
    /// rule that was changed, and `version` the version that was loaded, if any.
    public func saveDraft(
        _ draft: Draft, of host: Host, replacing old: StoredDraft, as kind: EventKind = .draftChanged,
        rule: String? = nil, version: Int? = nil
    ) throws -> StoredDraft {
        let contents = DraftContents(draft)
        let text = draft.json.text
        let sha256 = digest(Array(text.utf8))
        if draft.apps != old.draft.apps { try replaceNamedApps(of: host, with: draft.apps) }
        var detail: JSONObject = ["revision": .int(old.revision + 1), "rule": .detail(rule)]
        detail["version"] = version.map { .int($0) }
        try audit(kind, host, .object(detail))
        // Last of all: it holds the row of the domain's state, for which a version that goes live waits.
        let row = try database.first(
            """
            update drafts
            set revision = revision + 1, document = \(text)::json, document_sha256 = \(sha256),
              file_sha256 = \(contents.file.sha256), file_size = \(contents.file.bytes.count),
              updated_at = clock_timestamp()
            where organization_id = \(organization.uuid) and host = \(host.description) and revision = \(old.revision)
            returning revision, updated_at
            """)
        guard let row else { throw StorageError.revisionMoved(current: try self.draft(host).revision) }
        return try StoredDraft(row: row, memory.keep(contents, of: sha256, documentBytes: text.utf8.count))
    }

    func insertEmptyDraft(_ host: Host) throws {
        let text = Draft().json.text
        let file = Draft().association().bytes
        try database.execute(
            """
            insert into drafts (organization_id, host, revision, document, document_sha256, file_sha256, file_size)
            values (
              \(organization.uuid), \(host.description), 1, \(text)::json, \(digest(Array(text.utf8))), \(digest(file)),
              \(file.count))
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

    /// Reads a draft. Its document is read only if the process does not remember it, or if it is small.
    private func storedDraft(_ host: Host, locking: SQL) throws -> StoredDraft {
        let row = try draftRow(
            host,
            document: "case when drafts.document_sha256 is null or drafts.file_size < 2048 then drafts.document end",
            locking)
        if let target = try row.decode("alias_of", as: String?.self) { throw StorageError.isAlias(of: target) }
        if let sha256 = try row.decode("document_sha256", as: [UInt8]?.self), let known = memory.contents(of: sha256) {
            return try StoredDraft(row: row, known)
        }
        if let text = try row.decode("document", as: String?.self) { return try remember(row, text) }
        let whole = try draftRow(host, document: "drafts.document", locking)
        return try remember(whole, whole.decode("document", as: String.self))
    }

    private func remember(_ row: Row, _ text: String) throws -> StoredDraft {
        let sha256 = try row.decode("document_sha256", as: [UInt8]?.self) ?? digest(Array(text.utf8))
        if let known = memory.contents(of: sha256) { return try StoredDraft(row: row, known) }
        let read = try StoredDraft(row: row).contents
        return try StoredDraft(row: row, memory.keep(read, of: sha256, documentBytes: text.utf8.count))
    }

    private func draftRow(_ host: Host, document: SQL, _ locking: SQL) throws -> Row {
        let row = try database.first(
            """
            select drafts.revision, drafts.document_sha256, drafts.updated_at, domains.alias_of,
              \(fragment: document) as document
            from drafts
            join domains on domains.organization_id = drafts.organization_id and domains.host = drafts.host
            where drafts.organization_id = \(organization.uuid) and drafts.host = \(host.description)
            \(fragment: locking)
            """)
        guard let row else { throw StorageError.notFound(kind: "domain", key: host.description) }
        return row
    }
}

/// The SHA-256 of a file's bytes.
public func digest(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
