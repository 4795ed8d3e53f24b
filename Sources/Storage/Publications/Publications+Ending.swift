public import AASA
public import FoundationEssentials
import Hex
import Postgres
import StrictJSON

extension TenantTransaction {
    /// Cancels a pending publication, optionally with a reason. Throws `notFound`, or `publicationEnded`.
    public func cancelPublication(
        _ id: ID<Publication>, of host: Host, reason: String? = nil
    ) throws -> Publication {
        let publication = try lockedPublication(id)
        guard let publication, publication.host == host else {
            throw StorageError.notFound(kind: "publication", key: id.description)
        }
        guard !publication.state.isEnding else {
            throw StorageError.publicationEnded(state: publication.state.rawValue)
        }
        return try end(
            publication, as: .cancelled, cause: "cancelled by \(author.name)" + (reason.map { ": \($0)" } ?? ""))
    }

    /// Records the start of an attempt. If the job was given back, the attempt has the same number again, and is
    /// recorded only once.
    public func begin(_ publication: Publication, attempt: Int) throws {
        if attempt > publication.attempts {
            try addStep(.claimed, of: publication.id, attempt: attempt)
            try audit(.publicationRunning, publication, ["attempt": .int(attempt)])
        }
        try database.execute(
            """
            update publications
            set state = 'running', attempts = \(attempt), started_at = coalesce(started_at, clock_timestamp())
            where organization_id = \(organization.uuid) and id = \(publication.id.uuid)
            """)
    }

    /// Records a failed attempt. The next attempt is due at `next`.
    public func postpone(_ publication: Publication, until next: Date, attempt: Int, cause: String) throws {
        try addStep(.postponed, of: publication.id, attempt: attempt, cause: cause, nextAt: next)
        try audit(
            .publicationPostponed, publication,
            ["attempt": .int(attempt), "cause": .string(cause), "nextAt": .detail(next)])
    }

    /// Ends a publication, and decides about its followers in the same transaction. Stores the activation if the new
    /// state is `live`, otherwise the cause. The caller must have locked the publication with
    /// ``lockedPublication(_:)``.
    public func end(
        _ publication: Publication, as state: Publication.State, activation: Int64? = nil, cause: String? = nil
    ) throws -> Publication {
        try dequeue(.publish, key: publication.id.uuid)
        let goesBack = try state == .live && hasBeenLive(version: publication.version, of: publication.host)
        try database.execute(
            """
            update publications
            set state = \(state.rawValue), activation = \(activation), cause = \(cause), ended_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(publication.id.uuid)
            """)
        let ended = try self.publication(publication.id, of: publication.host)
        if let step = PublicationStep.Kind(state) { try addStep(step, of: publication.id, cause: cause) }
        if let kind = EventKind(rawValue: "publication.\(state.rawValue)") {
            try audit(
                kind, publication,
                [
                    "activation": .detail(activation), "cause": .detail(cause),
                    "late": .detail(ended.late.map(Int64.init)), "back": goesBack ? true : .null,
                    "sha256": state == .live ? .string(try digest(of: ended)) : .null,
                    "bypassApproval": state == .live && ended.bypassesApproval ? true : .null,
                ])
        }
        for follower in try pendingFollowers(of: ended) { try decide(about: follower, after: ended) }
        return ended
    }

    /// Decides whether a follower proceeds after the publication that it follows has ended. It proceeds if that
    /// publication went live, or if the follower overrides. Otherwise it ends: a rollback has nothing to roll back, and
    /// any other follower was created for a file that is not live.
    private func decide(about follower: Publication, after ended: Publication) throws {
        if let activation = ended.activation {
            try database.execute(
                """
                update publications set made_against = \(activation)
                where organization_id = \(organization.uuid) and id = \(follower.id.uuid)
                """)
            try enqueue(.publish, key: follower.id.uuid, at: follower.dueAt)
        } else if follower.reverts != nil {
            _ = try end(
                follower, as: .cancelled,
                cause: "nothing to roll back: \(ended.ending)")
        } else if follower.overrides {
            try enqueue(.publish, key: follower.id.uuid, at: follower.dueAt)
        } else {
            _ = try end(
                follower, as: .suspended,
                cause: "it follows another publication: \(ended.ending)")
        }
    }

    /// Adds an audit entry about a publication.
    func audit(
        _ kind: EventKind, _ publication: Publication, _ more: KeyValuePairs<String, JSONValue>
    ) throws {
        let own: KeyValuePairs<String, JSONValue> = [
            "publication": .string(publication.id.description), "version": .int(publication.version),
        ]
        try audit(kind, publication.host, .object(JSONObject((Array(own) + Array(more)).map { ($0.key, $0.value) })))
    }

    /// The SHA-256 of a publication's file, as hexadecimal digits.
    private func digest(of publication: Publication) throws -> String {
        Hexadecimal.encode(
            try database.only(
                """
                select sha256 from versions
                where organization_id = \(organization.uuid) and host = \(publication.host.description)
                  and number = \(publication.version)
                """
            ).decode("sha256", as: [UInt8].self))
    }

    private func pendingFollowers(of publication: Publication) throws -> [Publication] {
        try database.query(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and follows = \(publication.id.uuid)
              and state in ('scheduled', 'running')
            order by due_at, created_at, id
            for update
            """
        ).map(Publication.init(row:))
    }
}

extension Publication {
    /// Describes how the publication ended: "version 3 did not go live (cancelled by ada@example.com)".
    fileprivate var ending: String {
        "version \(version) did not go live (\(cause?.prefix(200) ?? "\(state)"))"
    }
}
