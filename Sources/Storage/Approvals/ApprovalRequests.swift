public import AASA
import FoundationEssentials
import Postgres
import StrictJSON

extension TenantTransaction {
    /// A page of the organization's approval requests, newest first, without the editors of the files. The page's key is
    /// the ID of the last request on the previous page.
    ///
    /// - Parameters:
    ///   - isPending: If true, only requests that are open or approved; if false, only ended ones; if `nil`, all.
    ///   - host: Only requests with a file of this domain.
    public func approvalRequests(
        _ page: Page, isPending: Bool? = nil, of host: Host? = nil
    ) throws -> Listing<ApprovalRequest> {
        let state: SQL =
            switch isPending {
            case nil: ""
            case true?: "and state = 'open'"
            case false?: "and state <> 'open'"
            }
        let holding: SQL =
            host.map {
                """
                and id = any(array(
                  select request_id from approval_request_domains as files
                  where files.organization_id = \(organization.uuid) and files.host = \($0.description)))
                """
            } ?? ""
        return try list(page, key: \.id.description, reading: { try requests($0, editorsOfEach: 0) }) { page in
            """
            select \(fragment: ApprovalRequest.columns) from approval_requests
            where organization_id = \(organization.uuid) \(fragment: state) \(fragment: holding)
              \(fragment: try page.newestFirst(of: "approval_requests", ApprovalRequest.self, in: organization))
            """
        }
    }

    /// The approval request with this ID. Throws `notFound`.
    public func approvalRequest(_ id: ID<ApprovalRequest>) throws -> ApprovalRequest {
        try approvalRequest(id, locking: "")
    }

    private func approvalRequest(_ id: ID<ApprovalRequest>, locking: SQL) throws -> ApprovalRequest {
        let rows = try database.query(
            """
            select \(fragment: ApprovalRequest.columns) from approval_requests
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            \(fragment: locking)
            """)
        guard let request = try requests(rows).first else {
            throw StorageError.notFound(kind: "approval request", key: id.description)
        }
        return request
    }

    /// The reviews of a request, oldest first.
    public func reviews(of id: ID<ApprovalRequest>) throws -> [ApprovalRequest.Review] {
        try database.query(
            """
            select id, kind, text, author_kind, author_name, created_at from approval_reviews
            where organization_id = \(organization.uuid) and request_id = \(id.uuid)
            order by created_at, id
            limit \(ApprovalRequest.maximumReviews)
            """
        ).map(ApprovalRequest.Review.init(row:))
    }

    /// Requests approval of the changed drafts among the chosen domains, or of a version. Domains that need no approval
    /// are left out. Throws ``UnusableChoice``, `nothingToApprove`, `tooManyFilesToApprove`, `tooManyApprovalRequests`, and
    /// `notFound`.
    ///
    /// - Parameter version: A version of the only chosen domain.
    public func requestApproval(
        of choice: DomainChoice, version: Int? = nil, message: String
    ) throws -> ApprovalRequest {
        let isPerson = author.kind == .user
        let open = try database.only(
            """
            select count(*) as of_all, count(*) filter (
                where (requester_kind = 'user') = \(isPerson) and (requester_name = \(author.name) or not \(isPerson))
              ) as of_author
            from approval_requests
            where organization_id = \(organization.uuid) and state = 'open'
            """)
        for (column, limit) in [
            ("of_all", ApprovalRequest.maximumOpen), ("of_author", ApprovalRequest.maximumOpenOfAuthor),
        ] where try open.decode(column, as: Int.self) >= limit {
            throw StorageError.tooManyApprovalRequests(limit: limit)
        }
        let files = try filesToApprove(hosts(of: choice), version: version)
        let needs = try approvalNeeds(of: files.map { HostFile($0.host, $0.sha256) }, for: author)
        let asked = files.filter { needs[HostFile($0.host, $0.sha256)] != nil }
        guard !asked.isEmpty else { throw StorageError.nothingToApprove }
        guard asked.count <= ApprovalRequest.maximumFiles else {
            throw StorageError.tooManyFilesToApprove(asked.count)
        }
        let id = ID<ApprovalRequest>()
        try database.execute(
            """
            insert into approval_requests (organization_id, id, message, requester_kind, requester_name)
            values (\(organization.uuid), \(id.uuid), \(message), \(author.kind.rawValue), \(author.name))
            """)
        try database.execute(
            """
            insert into approval_request_domains (
              organization_id, request_id, host, version, draft_revision, sha256, size)
            select \(organization.uuid), \(id.uuid), files.host, \(version)::integer, files.draft_revision, files.sha256,
              files.size
            from unnest(
              \(asked.map(\.host.description))::text[], \(asked.map(\.draftRevision))::bigint[],
              \(asked.map(\.sha256))::bytea[], \(asked.map(\.size))::bigint[]
            ) as files (host, draft_revision, sha256, size)
            """)
        let made = try approvalRequest(id)
        try audit(
            .approvalRequested, made,
            JSONObject([("message", .string(message))] + ApprovalRequest.File.detail(made.files)))
        return made
    }

    private struct FileToApprove {
        let host: Host
        let draftRevision: Int
        let sha256: [UInt8]
        let size: Int
    }

    /// The changed files of the domains: each draft's file, or the version's, if it is not the live one.
    private func filesToApprove(_ hosts: [String], version: Int?) throws -> [FileToApprove] {
        if let version, let host = try hosts.first.map({ try Host($0) }) {
            let frozen = try self.version(version, of: host)
            return frozen.isLive
                ? []
                : [
                    FileToApprove(
                        host: host, draftRevision: frozen.draftRevision, sha256: frozen.sha256, size: frozen.size)
                ]
        }
        return try database.query(
            """
            select drafts.host, drafts.revision, drafts.file_sha256, drafts.file_size from drafts
            left join claims on claims.organization_id = drafts.organization_id and claims.host = drafts.host
            where drafts.organization_id = \(organization.uuid) and drafts.host = any(\(hosts)::text[])
              and claims.sha256 is distinct from drafts.file_sha256
            order by drafts.host
            """
        ).map { row in
            FileToApprove(
                host: try row.host("host"), draftRevision: try row.decode("revision", as: Int.self),
                sha256: try row.decode("file_sha256", as: [UInt8].self),
                size: try row.decode("file_size", as: Int.self))
        }
    }

    /// Approves the files of a request that are current and that the author did not edit. Throws `notFound`,
    /// `approvalRequestEnded`, `tooManyReviews`. If no file remains, throws `nothingToApprove` (all are outdated) or
    /// `ownChange`.
    public func approve(_ id: ID<ApprovalRequest>, text: String) throws -> ApprovalRequest {
        let request = try pendingApprovalRequest(id)
        let own = try hosts(of: request, editedBy: author)
        let files = request.files.filter { !$0.isOutdated && !own.contains($0.host) }
        guard !files.isEmpty else {
            throw request.files.allSatisfy(\.isOutdated) ? StorageError.nothingToApprove : StorageError.ownChange
        }
        try database.execute(
            """
            insert into approvals (organization_id, request_id, host, approver)
            select \(organization.uuid), \(id.uuid), files.host, \(author.name)
            from unnest(\(files.map(\.host.description))::text[]) as files (host)
            on conflict do nothing
            """)
        return try review(request, .approval, text, .approvalGiven, JSONObject(ApprovalRequest.File.detail(files)))
    }

    /// The domains of the request whose file a person edited. The lists of editors in the request can be incomplete.
    private func hosts(of request: ApprovalRequest, editedBy editor: Author) throws -> Set<Host> {
        Set(
            try database.query(
                """
                select files.host from approval_request_domains as files
                where files.organization_id = \(organization.uuid) and files.request_id = \(request.id.uuid)
                  and exists (
                    select from (\(fragment: editors(of: "files.host", "files.sha256"))) as editors
                    where editors.editor = \(editor.record))
                """
            ).map { try $0.host("host") })
    }

    /// Rejects a request, which ends it. Throws `notFound`, `approvalRequestEnded`, `tooManyReviews`.
    public func reject(_ id: ID<ApprovalRequest>, because reason: String) throws -> ApprovalRequest {
        let request = try pendingApprovalRequest(id)
        try end(request, as: .rejected)
        return try review(request, .rejection, reason, .approvalRejected, ["reason": .string(reason)])
    }

    /// Adds a comment to a request. Throws `notFound`, `tooManyReviews`.
    public func comment(on id: ID<ApprovalRequest>, _ text: String) throws -> ApprovalRequest {
        try review(approvalRequest(id, locking: "for update"), .comment, text, .approvalCommented, [:])
    }

    /// Cancels a request. An editor can cancel only their own request, and only before anyone has approved it: a
    /// scheduled publication may need the approvals. Throws `notFound`, `approvalRequestEnded`, `roleNeeded`.
    public func cancelApprovalRequest(_ id: ID<ApprovalRequest>, as role: Role) throws -> ApprovalRequest {
        let request = try pendingApprovalRequest(id)
        var reasons = request.requester == author ? [] : ["another user made the request"]
        if !request.files.allSatisfy(\.approvers.isEmpty) { reasons.append("the request has approvals") }
        guard reasons.isEmpty || role >= .publisher else {
            throw StorageError.roleNeeded(.publisher, has: role, because: reasons)
        }
        try end(request, as: .cancelled)
        try audit(.approvalCancelled, request, [:])
        return try approvalRequest(id)
    }

    /// Removes the approvals of a person who leaves, so that they do not count again if the person comes back. The reviews
    /// stay.
    func removeApprovals(by address: String) throws {
        try database.execute(
            "delete from approvals where organization_id = \(organization.uuid) and approver = \(address)")
    }

    private func pendingApprovalRequest(_ id: ID<ApprovalRequest>) throws -> ApprovalRequest {
        let request = try approvalRequest(id, locking: "for update")
        switch request.state {
        case .open, .approved: return request
        case .published, .rejected, .cancelled: throw StorageError.approvalRequestEnded(state: request.state.rawValue)
        }
    }

    private func end(_ request: ApprovalRequest, as state: ApprovalRequest.State) throws {
        try database.execute(
            """
            update approval_requests set state = \(state.rawValue), ended_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(request.id.uuid)
            """)
    }

    /// Records in all open requests that these files went live, in the transaction that makes them live. A request ends
    /// when all its files have been live.
    ///
    /// - Parameter files: A query for the `host` and the `sha256` of each file that goes live.
    func endApprovalRequests(publishing files: SQL) throws {
        // A separate statement locks the requests, so that the next ones see the changes of a concurrent publication.
        let ids = try database.query(
            .replanned(
                """
                select id from approval_requests
                where organization_id = \(organization.uuid) and state = 'open' and id in (
                  select files.request_id from approval_request_domains as files
                  join (\(fragment: files)) as published
                    on published.host = files.host and published.sha256 = files.sha256
                  where files.organization_id = \(organization.uuid))
                order by id
                for update
                """)
        ).map { try $0.decode("id", as: UUID.self) }
        guard !ids.isEmpty else { return }
        try database.execute(
            .replanned(
                """
                update approval_request_domains as files
                set has_been_live = true
                from (\(fragment: files)) as published
                where files.organization_id = \(organization.uuid) and files.request_id = any(\(ids)::uuid[])
                  and files.host = published.host and files.sha256 = published.sha256
                """))
        try database.execute(
            """
            update approval_requests set state = 'published', ended_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = any(\(ids)::uuid[]) and not exists (
              select from approval_request_domains as files
              where files.organization_id = \(organization.uuid) and files.request_id = approval_requests.id
                and not files.has_been_live)
            """)
    }

    private func review(
        _ request: ApprovalRequest, _ kind: ApprovalRequest.Review.Kind, _ text: String, _ event: EventKind,
        _ detail: JSONObject
    ) throws -> ApprovalRequest {
        guard try reviews(of: request.id).count(where: { $0.kind == kind }) < kind.maximum else {
            throw StorageError.tooManyReviews(limit: kind.maximum)
        }
        try database.execute(
            """
            insert into approval_reviews (organization_id, id, request_id, kind, text, author_kind, author_name)
            values (
              \(organization.uuid), \(UUID()), \(request.id.uuid), \(kind.rawValue), \(text), \(author.kind.rawValue),
              \(author.name))
            """)
        try audit(event, request, detail)
        return try approvalRequest(request.id)
    }

    private func audit(_ kind: EventKind, _ request: ApprovalRequest, _ detail: JSONObject) throws {
        let host = request.files.count == 1 ? request.files.first?.host : nil
        try audit(
            kind, request.id.description,
            concerning: host.map(ConcernedDomains.domain) ?? .approvalRequest(request.id), .object(detail))
    }

    /// Reads requests, with their files and the approvals that each file needs.
    ///
    /// - Parameter limit: The maximum number of editors to read for each file. Reading them takes longer than the rest.
    private func requests(_ rows: [Row], editorsOfEach limit: Int = 100) throws -> [ApprovalRequest] {
        let ids = try rows.map { try $0.decode("id", as: UUID.self) }
        let files = try database.query(
            """
            select files.request_id, files.host, files.version, files.draft_revision, files.sha256, files.size,
              files.version is null and drafts.file_sha256 <> files.sha256 as is_outdated,
              coalesce(claims.sha256 = files.sha256, false) as is_live,
              array(
                select editors.editor from (\(fragment: editors(of: "files.host", "files.sha256"))) as editors
                order by editors.editor not like 'user %', editors.editor
                limit \(limit)
              ) as editors,
              array(
                select approver from approvals
                where approvals.organization_id = files.organization_id and approvals.request_id = files.request_id
                  and approvals.host = files.host
                order by approver
              ) as approvers
            from approval_request_domains as files
            join drafts on drafts.organization_id = files.organization_id and drafts.host = files.host
            left join claims on claims.organization_id = files.organization_id and claims.host = files.host
            where files.organization_id = \(organization.uuid) and files.request_id = any(\(ids)::uuid[])
            order by files.request_id, files.host
            """
        ).map { (try $0.decode("request_id", as: UUID.self), try ApprovalRequest.File(row: $0)) }
        let needs = try approvalNeeds(of: files.map { HostFile($1.host, $1.sha256) }, for: author)
        let grouped = Dictionary(grouping: files, by: \.0).mapValues { files in
            files.map { _, file in
                var file = file
                file.need = needs[HostFile(file.host, file.sha256)]
                return file
            }
        }
        return try rows.map { row in
            try ApprovalRequest(row: row, files: grouped[row.decode("id", as: UUID.self)] ?? [])
        }
    }
}
