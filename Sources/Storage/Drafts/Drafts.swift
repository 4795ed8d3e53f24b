public import AASA
import Crypto
public import FoundationEssentials
import Postgres
import StrictJSON

/// A domain's draft at a revision.
public struct StoredDraft: Sendable {
    /// The revision. It increases by one with every change.
    public let revision: Int
    /// The draft, with its file and its findings.
    public private(set) var contents: DraftContents
    /// The time of the last change.
    public let updatedAt: Date

    /// The draft.
    public internal(set) var draft: Draft {
        get { contents.draft }
        set { contents = DraftContents(newValue) }
    }

    init(row: Row) throws {
        try self.init(row: row, DraftContents(Draft(json: row.json("document")) { ID<Draft>().description }))
    }

    init(row: Row, _ contents: DraftContents) throws {
        revision = try row.decode("revision", as: Int.self)
        self.contents = contents
        updatedAt = try row.decode("updated_at", as: Date.self)
    }
}

extension TenantTransaction {
    /// Returns the draft of a domain. Throws `notFound`, or `isAlias` for a domain that serves another domain's file.
    public func draft(_ host: Host) throws -> StoredDraft { try storedDraft(host, locking: "") }

    /// Returns the draft and locks it until the transaction ends. Throws `revisionMoved` if the revision is not the
    /// expected one.
    public func lockedDraft(_ host: Host, expecting revision: Int?) throws -> StoredDraft {
        let stored = try storedDraft(host, locking: "for update of drafts")
        if let revision, revision != stored.revision { throw StorageError.revisionMoved(current: stored.revision) }
        return stored
    }

    /// Replaces the draft. The caller must have read its current revision with ``lockedDraft(_:expecting:)``. Throws
    /// `JSONFaults` if the draft exceeds the limits, because such a draft could not be read again.
    ///
    /// - Parameters:
    ///   - kind: The kind of the audit entry.
    ///   - rule: The ID of the changed rule, if any.
    ///   - version: The number of the loaded version, if any.
    public func saveDraft(
        _ draft: Draft, of host: Host, replacing old: StoredDraft, as kind: EventKind = .draftChanged,
        rule: String? = nil, version: Int? = nil
    ) throws -> StoredDraft {
        try draft.checkLimits()
        let contents = DraftContents(draft)
        let text = draft.json.text
        let row = try database.first(
            """
            with written as (
              update drafts
              set revision = revision + 1, document = \(text)::json, file_sha256 = \(contents.file.sha256),
                file_size = \(contents.file.bytes.count), updated_at = clock_timestamp()
              where organization_id = \(organization.uuid) and host = \(host.description)
                and revision = \(old.revision)
              returning host, revision, updated_at
            ),
            edited as (\(fragment: recordEditing("select host, revision from written", by: author)))
            select revision, updated_at from written
            """)
        guard let row else { throw StorageError.revisionMoved(current: try self.draft(host).revision) }
        let stored = try StoredDraft(row: row, memory.keep(contents, of: text, in: organization))
        if contents.file.bytes.count > old.contents.file.bytes.count { try requireRoomForDrafts() }
        if draft.apps != old.draft.apps { try replaceNamedApps(of: host, with: draft.apps) }
        var detail: JSONObject = ["revision": .int(stored.revision), "rule": .detail(rule)]
        if let rule { detail.add(rule, of: draft.rule(rule) == nil ? old.draft : draft) }
        detail["version"] = version.map { .int($0) }
        detail.add(DraftChanges(from: old.draft, to: draft))
        var before = detail
        if let rule, draft.rule(rule) != nil { before.add(rule, of: old.draft) }
        try audit(kind, host, JSONValue.object(detail).replacing(.object(before)))
        return stored
    }

    /// Locks a domain's draft until the transaction ends, even if the domain is an alias.
    func lockDraft(of host: Host) throws {
        _ = try database.query(
            """
            select revision from drafts
            where organization_id = \(organization.uuid) and host = \(host.description)
            for update
            """)
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

    /// Reads a draft. If its document is large, reads only the digest first, because the cache may have the draft.
    private func storedDraft(_ host: Host, locking: SQL) throws -> StoredDraft {
        let row = try draftRow(
            host, "case when drafts.file_size < \(DraftMemory.small) then drafts.document end", locking)
        if let target = try row.decode("alias_of", as: String?.self) { throw StorageError.isAlias(of: target) }
        if let known = memory.contents(of: try row.decode("sha256", as: [UInt8].self), in: organization) {
            return try StoredDraft(row: row, known)
        }
        let whole =
            try row.decode("document", as: String?.self) == nil ? draftRow(host, "drafts.document", locking) : row
        let read = try StoredDraft(row: whole)
        let document = try whole.decode("document", as: String.self)
        return try StoredDraft(row: whole, memory.keep(read.contents, of: document, in: organization))
    }

    /// Reads the row of a draft.
    ///
    /// - Parameter document: The SQL expression for the column `document`.
    private func draftRow(_ host: Host, _ document: SQL, _ locking: SQL) throws -> Row {
        let row = try database.first(
            """
            select drafts.revision, sha256(convert_to(drafts.document::text, 'UTF8')) as sha256,
              \(fragment: document) as document, drafts.updated_at, domains.alias_of
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

extension JSONObject {
    /// Adds a description of a rule for readers of the audit trail, because the rule may be deleted later.
    fileprivate mutating func add(_ id: String, of draft: Draft) {
        guard let found = draft.rule(id) else { return }
        let defaults = [draft.entries.first { $0.id == found.entry }?.defaults, draft.defaults].compactMap(\.self)
        self["pattern"] = .string(String(found.rule.fields.patterns.prefix(500)))
        self["exclude"] = .bool(found.rule.exclude ?? defaults.lazy.compactMap(\.exclude).first ?? false)
    }
}
