import FoundationEssentials
import HTTPTypes
import Storage
import StrictJSON

/// `/v1/freezes`: periods in which scheduled publications do not go live.
extension API {
    func listFreezes(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let isCurrent: Bool? =
            switch call.query("state") {
            case nil: nil
            case "current": true
            case "ended": false
            default: throw APIError.invalidParameter("state", "must be current or ended")
            }
        let freezes = try await read(as: member) { try $0.freezes(page, isCurrent: isCurrent) }
        return call.list(freezes, \.json)
    }

    func createFreeze(_ call: Call, _ member: Member) async throws -> Answer {
        let new = try call.decode { reader -> (label: String?, reason: String, endsAt: Date)? in
            let label = reader.optional("label", .label)
            let reason = reader.required("reason", .reason)
            let endsAt = reader.required("endsAt", .rfc3339)
            guard let reason, let endsAt else { return nil }
            return (label, reason, endsAt)
        }
        let freeze = try await write(as: member) { tenant in
            try tenant.require(member.grant, toReachLabel: new.label)
            return try tenant.createFreeze(label: new.label, reason: new.reason, endsAt: new.endsAt)
        }
        return .created(freeze.json, at: "/v1/freezes/\(freeze.id)")
    }

    func showFreeze(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.freezeID()
        return .json(try await read(as: member) { try $0.freeze(id) }.json)
    }

    func liftFreeze(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.freezeID()
        return .json(
            try await write(as: member) { tenant in
                if member.grant.isLimited { try tenant.require(member.grant, toReachLabel: tenant.freeze(id).label) }
                return try tenant.liftFreeze(id)
            }.json)
    }
}

extension Freeze {
    var json: JSONValue {
        [
            "id": .string(id.description), "label": .text(label), "reason": .string(reason),
            "current": .bool(isCurrent), "createdBy": creator.json, "createdAt": .time(createdAt),
            "endsAt": .rfc3339(endsAt), "liftedAt": .time(liftedAt), "liftedBy": lifter?.json ?? .null,
        ]
    }
}

extension Call {
    fileprivate func freezeID() throws -> ID<Freeze> { try id("freeze") }
}
