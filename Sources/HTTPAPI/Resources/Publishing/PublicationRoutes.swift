import AASA
import FoundationEssentials
import HTTPTypes
import Hex
import Publishing
import Storage
import StrictJSON

/// `/v1/domains/{host}/publications`: makes versions live, now or at a scheduled time. `/v1/publications`: the
/// publications of all domains.
extension API {
    func listAllPublications(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let filter = try call.publicationFilter()
        return try await list(call, as: member.organization.id) { try $0.publications(page, filter) }
    }

    func listPublications(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let page = try call.page()
        let filter = try call.publicationFilter()
        return try await list(call, as: member.organization.id) { try $0.publications(host, page, filter) }
    }

    func createPublication(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let wait = try call.query("wait", in: 0...30, default: 0)
        let revision = try Preconditions.revision(call.request)
        var request = try call.decode(Publisher.Request.init(reader:))
        request.expectedRevision = revision
        let outcome = try await publisher.publish(host, request, as: member.organization.id, by: member.author)
        guard case .made(let made) = outcome else { return .json(outcome.json(of: host)) }
        jobsDoorbell.ring()
        let publication = try await self.outcome(of: made, within: .seconds(wait), call, member)
        return Answer.json(publication.json, .accepted)
            .with(.location, "/v1/domains/\(host)/publications/\(made.id)")
    }

    func showPublication(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.publicationID()
        let wait = try call.query("wait", in: 0...30, default: 0)
        let found = try await read(as: member) { try $0.publication(id, of: host) }
        return .json(try await outcome(of: found, within: .seconds(wait), call, member).json)
    }

    func cancelPublication(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.publicationID()
        let reason = call.query(Route.reason)
        let cancelled = try await write(as: member) { tenant in
            try tenant.details(of: tenant.cancelPublication(id, of: host, reason: reason))
        }
        return .json(cancelled.json)
    }

    private func list(
        _ call: Call, as organization: ID<Organization>,
        _ read: @escaping @Sendable (TenantTransaction) throws -> Listing<Publication>
    ) async throws -> Answer {
        let (publications, listing) = try await store.read(as: organization) { tenant in
            let listing = try read(tenant)
            return (try tenant.details(of: listing.items), listing)
        }
        return call.list(publications.map(\.json), next: listing.next, total: listing.total)
    }

    /// Waits until the publication ends, at most for `duration`, and returns it.
    private func outcome(
        of publication: Publication, within duration: Duration, _ call: Call, _ member: Member
    ) async throws -> PublicationDetails {
        let (id, host, organization) = (publication.id, publication.host, member.organization.id)
        if !publication.state.isEnding, duration > .zero, !DryRun.isOn {
            try await call.stepAside {
                try await endings.wait(for: organization, id, atMost: duration) { pending in !pending.contains(id) }
            }
        }
        // In a dry run, the publication is not stored.
        let isStored = !DryRun.isOn
        return try await store.read(as: organization) { tenant in
            try tenant.details(of: isStored ? tenant.publication(id, of: host) : publication)
        }
    }
}

/// A publication with its steps, and with the reasons why it would not go live.
struct PublicationDetails: Sendable {
    let publication: Publication
    let steps: [PublicationStep]
    /// The reason why it would not go live if nothing else changes, or `nil`.
    let blockedReason: String?
    /// The freeze that would stop it if nothing else changes, or `nil`.
    let freeze: Freeze?

    var json: JSONValue {
        let made = publication
        return [
            "id": .string(made.id.description), "host": .string(made.host.description), "version": .int(made.version),
            "state": .string(made.state.rawValue), "at": .rfc3339(made.dueAt),
            "effectiveBy": .rfc3339(made.effectiveBy), "late": made.late.map(JSONValue.int) ?? .null,
            "zone": .text(made.zone),
            "message": .string(made.message), "reason": .text(made.reason), "override": .bool(made.overrides),
            "bypassApproval": .bool(made.bypassesApproval),
            "requestedBy": made.requester.json, "follows": .text(made.follows?.description),
            "release": .text(made.release?.description),
            "reverts": .text(made.reverts?.description), "revertedBy": .text(made.revertedBy?.description),
            "createdAt": .time(made.createdAt), "startedAt": .time(made.startedAt), "endedAt": .time(made.endedAt),
            "madeAgainst": .number(made.madeAgainst), "activation": .number(made.activation),
            "attempts": .int(made.attempts), "cause": .text(made.cause), "steps": .array(steps.map(\.json)),
            "blockedReason": .text(blockedReason), "freeze": freeze?.json ?? .null, "report": made.report,
        ]
    }
}

extension TenantTransaction {
    func details(of publications: [Publication]) throws -> [PublicationDetails] {
        let steps = try steps(of: publications.map(\.id))
        let scheduled = publications.filter { !$0.state.isEnding && $0.dueAt != nil }
        let freezes = scheduled.isEmpty ? [:] : try freezes(covering: scheduled.map(\.host))
        let blockedReasons = try blockedReasons(of: publications)
        return publications.map { publication in
            let freeze = publication.state.isEnding ? nil : freezes[publication.host]
            let isStopped = freeze.map { publication.dueAt ?? .distantFuture < $0.endsAt } ?? false
            return PublicationDetails(
                publication: publication, steps: steps[publication.id] ?? [],
                blockedReason: blockedReasons[publication.id],
                freeze: isStopped ? freeze : nil)
        }
    }

    fileprivate func details(of publication: Publication) throws -> PublicationDetails {
        guard let details = try details(of: [publication]).first else {
            throw StorageError.notFound(kind: "publication", key: publication.id.description)
        }
        return details
    }
}

extension PublicationStep {
    fileprivate var json: JSONValue {
        [
            "step": .string(kind.rawValue), "at": .time(at), "attempt": attempt.map(JSONValue.int) ?? .null,
            "cause": .text(cause), "nextAt": .time(nextAt),
        ]
    }
}

extension Publisher.Outcome {
    /// The response if no publication was created because the file is unchanged: the live version.
    fileprivate func json(of host: Host) -> JSONValue {
        guard case .unchanged(let live) = self else { return .null }
        return [
            "outcome": "unchanged", "host": .string(host.description), "version": .int(live.version),
            "sha256": .string(Hexadecimal.encode(live.sha256)),
        ]
    }
}

extension Publisher.Request {
    fileprivate init?(reader: JSONObjectReader) {
        let version = reader.optional("version", .int(in: 1...Int(Int32.max)))
        let message = reader.optional("message", .remark, default: "")
        let reason = reader.optional("reason", .reason)
        let overrides = reader.optional("override", .bool, default: false)
        let bypasses = reader.optional("bypassApproval", .bool, default: false)
        let times = PublicationTimes(
            at: reader.optional("at", .rfc3339), effectiveBy: reader.optional("effectiveBy", .rfc3339),
            revertAt: reader.optional("revertAt", .rfc3339),
            zone: reader.optional("zone", .text(min: 1, max: 100)))
        if overrides || bypasses, reason == nil {
            reader.fault("reason", "required", "overriding or bypassing requires a reason")
        }
        self.init(
            version: version, message: message, reason: reason, overrides: overrides, bypassesApproval: bypasses,
            times: times)
    }
}

extension Call {
    fileprivate func publicationID() throws -> ID<Publication> { try id("publication") }

    fileprivate func publicationFilter() throws -> PublicationFilter? {
        guard let text = query("state") else { return nil }
        guard let filter = PublicationFilter(text) else {
            let states = Publication.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError.invalidParameter("state", "must be pending or one of \(states)")
        }
        return filter
    }
}
