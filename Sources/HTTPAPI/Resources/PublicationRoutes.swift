import AASA
import HTTPTypes
import Publishing
import ServiceLifecycle
import Storage
import StrictJSON

/// `/v1/domains/{host}/publications`: making versions live.
extension API {
    func listPublications(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let page = try call.page()
        let publications = try await store.read(as: member.organization.id) { try $0.publications(host, page) }
        return .list(publications.items.map(\.json), next: publications.next)
    }

    func createPublication(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let wait = try call.query("wait", in: 0...30, default: 0)
        let revision = try Preconditions.revision(call.request)
        var request = try call.decode(Publisher.Request.init(reader:))
        request.expectedRevision = revision
        let made = try await publisher.publish(host, request, as: member.organization.id, by: member.author)
        jobsDoorbell.ring()
        let publication = try await outcome(of: made, within: .seconds(wait), as: member.organization.id)
        return Answer.json(publication.json, .accepted)
            .with(.location, "/v1/domains/\(host)/publications/\(publication.id)")
    }

    func showPublication(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.publicationID()
        let wait = try call.query("wait", in: 0...30, default: 0)
        let found = try await store.read(as: member.organization.id) { try $0.publication(id, of: host) }
        return .json(try await outcome(of: found, within: .seconds(wait), as: member.organization.id).json)
    }

    func cancelPublication(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.publicationID()
        let cancelled = try await store.write(as: member.organization.id, by: member.author) {
            try $0.cancelPublication(id, of: host)
        }
        return .json(cancelled.json)
    }

    /// The publication once it has ended, or as it is when the time is over.
    private func outcome(
        of publication: Publication, within duration: Duration, as organization: ID<Organization>
    ) async throws -> Publication {
        let deadline = ContinuousClock.now + duration
        var publication = publication
        while !publication.state.isEnding, ContinuousClock.now < deadline, !Task.isCancelled,
            !Task.isShuttingDownGracefully
        {
            let (id, host) = (publication.id, publication.host)
            await liveDoorbell.wait(atMost: min(deadline - .now, .milliseconds(100)))
            publication = try await store.read(as: organization) { try $0.publication(id, of: host) }
        }
        return publication
    }
}

extension Publisher.Request {
    fileprivate init?(reader: JSONObjectReader) {
        let version = reader.optional("version", .int(in: 1...Int(Int32.max)))
        let message = reader.optional("message", .remark, default: "")
        let reason = reader.optional("reason", .text(min: 1, max: 1_000))
        let overrides = reader.optional("override", .bool, default: false)
        if overrides, reason == nil { reader.fault("reason", "required", "say why, to override") }
        self.init(version: version, message: message, reason: reason, overrides: overrides)
    }
}

extension Publication {
    var json: JSONValue {
        [
            "id": .string(id.description), "host": .string(host.description), "version": .int(version),
            "state": .string(state.rawValue), "message": .string(message), "reason": .text(reason),
            "requestedBy": requester.json, "createdAt": .time(createdAt), "startedAt": .time(startedAt),
            "endedAt": .time(endedAt), "madeAgainst": .number(madeAgainst), "activation": .number(activation),
            "attempts": .int(attempts), "cause": .text(cause), "report": report,
        ]
    }
}

extension Call {
    fileprivate func publicationID() throws -> ID<Publication> {
        guard let id = ID<Publication>(path("id")) else { throw APIError.notFound("publication", path("id")) }
        return id
    }
}
