public import AASA
import Postgres

/// A file that is to go live on a domain.
public struct HostFile: Hashable, Sendable {
    /// The domain.
    public let host: Host
    /// The file's SHA-256, 32 bytes.
    public let sha256: [UInt8]

    /// Creates the pair.
    public init(_ host: Host, _ sha256: [UInt8]) {
        self.host = host
        self.sha256 = sha256
    }
}

/// The approvals that a file needs before it goes live on a domain, and those that it has.
public struct ApprovalNeed: Hashable, Sendable {
    /// The number of required approvals. The policy that requires most decides. If an edit of the draft was not made by
    /// a signed-in person, the person behind it is not known, so one more is required.
    public let required: Int
    /// The number of approvals by people who did not edit the draft, and who can still publish.
    public let given: Int
    /// True if every policy of the domain names the person as one who can publish without the approvals, and the person
    /// can still publish on the domain.
    public let isBypasser: Bool

    /// True if the file has all approvals.
    public var isMet: Bool { given >= required }

    /// The reason why a publication of the file does not go live.
    public var cause: String { "the file has \(given) of \(required) required approvals" }

    /// True if the file can go live now: with all approvals, or because the person bypasses them and still can.
    func allowsGoingLive(bypassing: Bool) -> Bool { isMet || bypassing && isBypasser }

    /// Creates a need.
    public init(required: Int, given: Int, isBypasser: Bool = false) {
        self.required = required
        self.given = given
        self.isBypasser = isBypasser
    }
}

extension TenantTransaction {
    /// The approvals that files need on their domains. A file of a domain without a policy is left out.
    ///
    /// - Parameters:
    ///   - author: The person who wants to publish the files.
    public func approvalNeeds(of files: [HostFile], for author: Author) throws -> [HostFile: ApprovalNeed] {
        guard !files.isEmpty else { return [:] }
        let asked: SQL = """
            select * from unnest(\(files.map(\.host.description))::text[], \(files.map(\.sha256))::bytea[])
              as files (host, sha256)
            """
        return try approvalNeeds(asked, for: author)
    }

    /// The approvals that a file needs, for the author of this transaction, or `nil` if it needs none.
    public func approvalNeed(of file: HostFile) throws -> ApprovalNeed? {
        try approvalNeeds(of: [file], for: author)[file]
    }

    /// The approvals that the file of a publication lacks in the moment in which it goes live, or `nil` if it lacks none.
    /// Since its creation, approvals may have ended, and policies may have changed.
    public func lackingApproval(of publication: Publication, _ sha256: [UInt8]) throws -> ApprovalNeed? {
        guard try !hasBeenLive(version: publication.version, of: publication.host) else { return nil }
        let file = HostFile(publication.host, sha256)
        let need = try approvalNeeds(of: [file], for: publication.requester)[file]
        return need.flatMap { $0.allowsGoingLive(bypassing: publication.bypassesApproval) ? nil : $0 }
    }

    /// What the pending publications lack that would not go live now.
    func lackingApproval(among publications: [Publication]) throws -> [ID<Publication>: ApprovalNeed] {
        guard !publications.isEmpty else { return [:] }
        let versions = try database.query(
            """
            select asked.place, versions.sha256
            from unnest(\(publications.map(\.host.description))::text[], \(publications.map(\.version))::bigint[])
              with ordinality as asked (host, number, place)
            join versions on versions.organization_id = \(organization.uuid) and versions.host = asked.host
              and versions.number = asked.number
            """
        ).map { (publications[try $0.decode("place", as: Int.self) - 1], try $0.decode("sha256", as: [UInt8].self)) }
        let needs = try approvalNeeds(of: versions.map { HostFile($0.host, $1) }, for: .system)
        return try versions.reduce(into: [:]) { lacking, item in
            let (publication, sha256) = item
            guard needs[HostFile(publication.host, sha256)]?.isMet == false else { return }
            lacking[publication.id] = try lackingApproval(of: publication, sha256)
        }
    }

    /// The reason why a judged release does not go live if a file lacks approvals, or `nil`. A rollback needs none.
    func missingApproval(of release: Release) throws -> String? {
        guard release.rollsBack == nil else { return nil }
        let asked: SQL = """
            select host, sha256 from release_domains
            where organization_id = \(organization.uuid) and release_id = \(release.id.uuid) and state = 'frozen'
            """
        return try approvalNeeds(asked, for: release.requester)
            .filter { !$1.allowsGoingLive(bypassing: release.bypassesApproval) }
            .keys.map(\.host.description).min()
            .map { "the file of \($0) lacks approvals" }
    }

    /// - Parameter asked: A query for `host` and `sha256`.
    private func approvalNeeds(_ asked: SQL, for author: Author) throws -> [HostFile: ApprovalNeed] {
        let person = author.kind == .user ? author.name : nil
        // A domain's file also serves its aliases. So the policies of the aliases count too.
        return try database.query(
            .replanned(
                """
                with asked as (\(fragment: asked)),
                ruled as (
                  select asked.host, asked.sha256, max(approval_policies.approvals) as approvals,
                    coalesce(bool_and(\(person) = any(approval_policies.bypassers)), false)
                      and \(fragment: canPublish("\(person)", on: "asked.host")) as is_bypasser
                  from approval_policies
                  join asked on approval_policies.label is null or exists (
                    select from domains
                    where domains.organization_id = \(organization.uuid)
                      and (domains.host = asked.host or domains.alias_of = asked.host)
                      and approval_policies.label = any(domains.labels))
                  where approval_policies.organization_id = \(organization.uuid)
                  group by asked.host, asked.sha256
                )
                select ruled.host, ruled.sha256, ruled.is_bypasser,
                  ruled.approvals + case when exists (
                    select from (\(fragment: editors(of: "ruled.host", "ruled.sha256"))) as editors
                    where editors.editor not like 'user %'
                  ) then 1 else 0 end as required,
                  (
                    select count(distinct approvals.approver) from approval_request_domains as files
                    join approval_requests on approval_requests.organization_id = files.organization_id
                      and approval_requests.id = files.request_id and approval_requests.state in ('open', 'published')
                    join approvals on approvals.organization_id = files.organization_id
                      and approvals.request_id = files.request_id and approvals.host = files.host
                    where files.organization_id = \(organization.uuid) and files.host = ruled.host
                      and files.sha256 = ruled.sha256 and \(fragment: canPublish("approvals.approver", on: "files.host"))
                      -- Also of those who edited the file after they had approved it.
                      and not exists (
                        select from (\(fragment: editors(of: "ruled.host", "ruled.sha256"))) as editors
                        where editors.editor = 'user ' || approvals.approver)
                  ) as given
                from ruled
                """)
        ).reduce(into: [:]) { needs, row in
            needs[HostFile(try row.host("host"), try row.decode("sha256", as: [UInt8].self))] = ApprovalNeed(
                required: try row.decode("required", as: Int.self), given: try row.decode("given", as: Int.self),
                isBypasser: try row.decode("is_bypasser", as: Bool.self))
        }
    }

    /// A query for the ``Author/record`` of each `editor` of a file: those who are recorded with the saved versions with
    /// these bytes. Later edits of the draft do not change them. If no version has these bytes, those who edited the draft
    /// since the live version was saved.
    func editors(of host: SQL, _ sha256: SQL) -> SQL {
        let saved: SQL = """
            from versions
            where versions.organization_id = \(organization.uuid) and versions.host = \(fragment: host)
              and versions.sha256 = \(fragment: sha256)
            """
        return """
            select unnest(versions.editors) as editor \(fragment: saved)
            union
            select drafted.editor from (\(fragment: draftEditors(of: host))) as drafted
            where not exists (select \(fragment: saved))
            """
    }

    /// A query for the ``Author/record`` of each `editor` of a draft since the live version was saved.
    ///
    /// - Parameter revision: The revision of the bytes, if they may be older than the live version. Then every edit
    ///   counts, because the difference between the two is not known.
    func draftEditors(of host: SQL, at revision: SQL = "versions.draft_revision") -> SQL {
        """
        select draft_editors.editor_kind || ' ' || draft_editors.editor_name as editor from draft_editors
        where draft_editors.organization_id = \(organization.uuid) and draft_editors.host = \(fragment: host)
        and draft_editors.revision > coalesce((
          select versions.draft_revision from versions
          left join claims on claims.organization_id = versions.organization_id and claims.host = versions.host
            and claims.domain = versions.host
          where versions.organization_id = \(organization.uuid) and versions.host = \(fragment: host)
            and versions.number = claims.version and versions.draft_revision <= \(fragment: revision)
        ), 0)
        """
    }

    /// Records that the author edited drafts.
    ///
    /// - Parameter edited: A query for `host` and `revision`.
    func recordEditing(_ edited: SQL, by editor: Author) -> SQL {
        """
        insert into draft_editors (organization_id, host, editor_kind, editor_name, revision)
        select \(organization.uuid), edited.host, \(editor.kind.rawValue), \(editor.name), edited.revision
        from (\(fragment: edited)) as edited
        on conflict (organization_id, host, editor_kind, editor_name) do update set revision = excluded.revision
        """
    }
}
