import Storage
import StrictJSON

/// `/v1/members`: the people in the organization. Nobody can change or remove a member with a role above their own, or
/// give a role above their own.
extension API {
    func listMembers(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let members = try await read(as: member) { try $0.members(page) }
        return call.list(members) { $0.json(for: member) }
    }

    func changeMember(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.memberID()
        let body = try call.json()
        let changed = try await write(as: member) { tenant in
            let other = try tenant.lockedMember(id, for: member)
            let grant = try JSONObjectReader.decode(body) { $0.grant(replacing: other.grant) }
            guard grant != other.grant else { return other }
            try member.requireRole(
                max(grant.role, other.role), because: "\(other.user.email) has or would get this role")
            return try tenant.changeRole(of: other.user.email, to: grant.role, labels: grant.labels)
        }
        authentication.callers.forget()
        return .json(changed.json(for: member))
    }

    /// Removes a member. Everyone can leave; removing others requires the role admin.
    func removeMember(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.memberID()
        try await write(as: member) { tenant in
            let other = try tenant.lockedMember(id, for: member)
            if other.user.id != member.user?.id {
                try member.requireRole(max(.admin, other.role), because: "\(other.user.email) is another member")
            }
            _ = try tenant.removeMember(other.user.email)
        }
        authentication.callers.forget()
        return .noContent
    }
}

extension TenantTransaction {
    fileprivate func lockedMember(_ id: ID<User>, for acting: Member) throws -> OrganizationMember {
        guard let user = acting.user else { throw APIError.sessionRequired }
        return try lockedMember(id, for: user, with: acting.role)
    }
}

extension OrganizationMember {
    /// Only administrators see which members have no second factor.
    func json(for reader: Member) -> JSONValue {
        [
            "id": .string(user.id.description), "email": .string(user.email), "name": .string(user.name),
            "role": .string(role.rawValue), "labels": grant.labelsJSON, "joinedAt": .time(joinedAt),
            "hasSecondFactor": reader.role >= .admin ? .bool(hasSecondFactor) : .null,
        ]
    }
}

extension Call {
    fileprivate func memberID() throws -> ID<User> { try id("member") }
}
