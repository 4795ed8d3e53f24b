import Storage
import StrictJSON

/// `/v1/organization`: the call's organization.
extension API {
    func showOrganization(_ call: Call, _ member: Member) async throws -> Answer {
        .json(try await read(as: member) { try $0.currentOrganization() }.json)
    }

    /// Changes the name, or whether members need a second factor. An owner without one cannot require it, because the
    /// owner would be locked out.
    func changeOrganization(_ call: Call, _ member: Member) async throws -> Answer {
        let change = try call.decode { reader -> (name: String?, requiresSecondFactor: Bool?)? in
            (reader.optional("name", .name), reader.optional("requiresSecondFactor", .bool))
        }
        let changed = try await write(as: member) { tenant in
            if change.requiresSecondFactor == true, let user = member.user,
                try tenant.system.secondFactor(of: user.id) == nil
            {
                throw APIError.noSecondFactor
            }
            return try tenant.changeOrganization(
                name: change.name, requiresSecondFactor: change.requiresSecondFactor)
        }
        authentication.callers.forget()
        return .json(changed.json)
    }
}

extension Organization {
    fileprivate var json: JSONValue {
        ["slug": .string(slug), "name": .string(name), "requiresSecondFactor": .bool(requiresSecondFactor)]
    }
}
