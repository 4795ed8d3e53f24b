import AASA
import HTTPTypes
import Hex
import Publishing
import Storage
import StrictJSON

/// `/v1/audit`: the audit trail, which is the events with the requests that made them, and its export with proof.
extension API {
    func listAuditEntries(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        var wanted = try call.eventFilter()
        wanted.request = call.query("request")
        if call.query("position") != nil {
            wanted.position = Int64(try call.query("position", in: 1...Int.max, default: 1))
        }
        let (filter, organization) = (wanted, member.organization.id)
        _ = try await events.newest(as: organization)
        let listing = try await store.read(as: organization) { try $0.newestEvents(page, filter) }
        return call.list(listing, \.auditJSON)
    }

    /// A part of the trail as lines of JSON. If the part has no checkpoint yet, one is made. So all committed entries
    /// are sealed before the last part.
    func exportAuditTrail(_ call: Call, _ member: Member) async throws -> Answer {
        let after = Int64(try call.query("after", in: 0...Int.max, default: 0))
        let organization = member.organization
        var stretch = try await store.read(as: organization.id) { try $0.trail(after: after) }
        if stretch?.lines.isEmpty ?? true {
            try await sealer.seal(organization.id)
            stretch = try await store.read(as: organization.id) { try $0.trail(after: after) }
        }
        guard let stretch else {
            throw APIError.invalidParameter(
                "after", "must be 0 or the position of a checkpoint: the last line of an earlier answer")
        }
        var answer = Answer(
            fields: [.contentType: "application/x-ndjson", .cacheControl: "no-store"], body: stretch.text(organization))
        if let end = stretch.end {
            answer.fields[.link] = "</v1/audit/export?after=\(end.chain.position)>; rel=\"next\""
        }
        return answer
    }
}

extension AuditStretch {
    /// The trail's own line, the entries, and the checkpoint, each as a line of JSON.
    fileprivate func text(_ organization: Organization) -> [UInt8] {
        let trail: JSONValue = [
            "trail": [
                "organization": .string(organization.id.description), "slug": .string(organization.slug),
                "position": .number(start.position), "digest": .string(Hexadecimal.encode(start.digest)),
            ]
        ]
        let checkpoint = end.map { end -> JSONValue in
            [
                "checkpoint": [
                    "position": .number(end.chain.position), "digest": .string(Hexadecimal.encode(end.chain.digest)),
                    "at": .string(end.madeAt), "key": .string(end.key),
                    "signature": .string(Hexadecimal.encode(end.signature)),
                ]
            ]
        }
        let all = [trail.bytes()] + lines.map { Array($0.utf8) } + (checkpoint.map { [$0.bytes()] } ?? [])
        return all.flatMap { $0 + [0x0A] }
    }
}

extension Event {
    fileprivate var auditJSON: JSONValue {
        [
            "position": .number(position), "at": .time(at), "actor": actor.json, "kind": .string(kind),
            "subject": .string(subject), "host": .text(host?.description), "act": .text(act), "reason": .text(reason),
            "request": .text(requestID), "address": .text(address), "detail": detail,
        ]
    }
}
