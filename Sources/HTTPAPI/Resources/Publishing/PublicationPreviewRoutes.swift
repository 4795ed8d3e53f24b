import AASA
import FoundationEssentials
import Publishing
import Storage
import StrictJSON

/// Previews of a publication. No publication is created.
extension API {
    /// `/v1/domains/{host}/publication-previews`: the effects that the publication would have.
    func previewPublication(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let (times, overrides) = try call.decode { reader -> (PublicationTimes, Bool)? in
            let times = PublicationTimes(
                at: reader.optional("at", .rfc3339), effectiveBy: reader.optional("effectiveBy", .rfc3339),
                revertAt: reader.optional("revertAt", .rfc3339),
                zone: reader.optional("zone", .text(min: 1, max: 100)))
            return (times, reader.optional("override", .bool, default: false))
        }
        let preview = try await publisher.preview(of: host, times, overrides: overrides, as: member.organization.id)
        return .json(preview.json)
    }

    /// `/v1/domains/{host}/publication-checks`: the gate's report.
    func checkPublication(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let request = try call.decode { reader in
            .some(
                Publisher.Request(
                    version: reader.optional("version", .int(in: 1...Int(Int32.max))),
                    times: PublicationTimes(at: reader.optional("at", .rfc3339))))
        }
        let check = try await publisher.check(host, request, as: member.organization.id)
        return .json([
            "host": .string(host.description), "draftRevision": check.draftRevision.map(JSONValue.int) ?? .null,
            "version": check.version.map(JSONValue.int) ?? .null, "unchanged": .bool(check.isUnchanged),
            "report": check.report.json,
        ])
    }
}

extension PublicationPreview {
    fileprivate var json: JSONValue {
        [
            "at": .rfc3339(dueAt), "follows": follows?.json ?? .null, "replaces": .array(replaces.map(\.json)),
            "suspends": .array(suspends.map(\.json)), "precededBy": .array(precededBy.map(\.json)),
            "needsOverride": .bool(needsOverride), "blockedReason": .text(blockedReason),
            "revertBlockedReason": .text(revertBlockedReason),
            "freeze": freeze?.json ?? .null,
        ]
    }
}

extension PublicationPreview.Waiting {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "id": .string(id.uuidString.lowercased()), "name": .string(name),
            "at": .rfc3339(dueAt),
        ]
    }
}
