import Storage
import StrictJSON

/// `/v1/tokens`: the organization's API tokens. Nobody can create, rotate or revoke a token with a role above their own.
extension API {
    /// The number of seconds in a day.
    static let day = 86_400
    /// The maximum time in seconds during which a rotated token stays valid: 7 days. The default is a day.
    private static let maximumOverlap = 7 * day

    func listTokens(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let tokens = try await read(as: member) { try $0.tokens(page) }
        return call.list(tokens, \.json)
    }

    func createToken(_ call: Call, _ member: Member) async throws -> Answer {
        let new = try call.decode { reader -> (name: String, grant: Grant, days: Int?)? in
            let name = reader.required("name", .name)
            let grant = reader.grant()
            let days = reader.optional("days", .int(in: 1...3_650))
            guard let name, let grant else { return nil }
            return (name, grant, days)
        }
        try member.requireRole(new.grant.role, because: "the token would have this role")
        let made = try await write(as: member) {
            try $0.createToken(
                name: new.name, role: new.grant.role, labels: new.grant.labels,
                seconds: new.days.map { $0 * Self.day })
        }
        return .created(made.json, at: "/v1/tokens/\(made.token.id)").withSecret
    }

    func showToken(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.tokenID()
        return .json(try await read(as: member) { try $0.token(id) }.json)
    }

    func revokeToken(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.tokenID()
        let token = try await write(as: member) { tenant in
            try member.requireRole(try tenant.token(id).role, because: "the token has this role")
            return try tenant.revokeToken(id).token
        }
        authentication.callers.forget()
        return .json(token.json)
    }

    func rotateToken(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.tokenID()
        let overlap = try call.decode { reader in
            .some(reader.optional("overlapSeconds", .int(in: 0...Self.maximumOverlap)) ?? Self.day)
        }
        let made = try await write(as: member) { tenant in
            try member.requireRole(try tenant.token(id).role, because: "the token has this role")
            return try tenant.rotateToken(id, overlap: overlap)
        }
        authentication.callers.forget()
        return .created(made.json, at: "/v1/tokens/\(made.token.id)").withSecret
    }
}

extension Member {
    /// Throws 403 `role_needed` if the member's role is lower than `role`.
    func requireRole(_ role: Role, because reason: String) throws {
        guard self.role >= role else { throw StorageError.roleNeeded(role, has: self.role, because: [reason]) }
    }
}

extension Token {
    var json: JSONValue {
        [
            "id": .string(id.description), "name": .string(name), "role": .string(role.rawValue),
            "labels": grant.labelsJSON, "active": .bool(isActive), "createdAt": .time(createdAt),
            "expiresAt": .time(expiresAt), "revokedAt": .time(revokedAt), "lastUsedAt": .time(lastUsedAt),
            "trust": .text(trust?.description), "author": author?.json ?? .null,
        ]
    }
}

extension NewToken {
    var json: JSONValue { ["token": token.json, "secret": .string(secret.text)] }
}

extension Call {
    fileprivate func tokenID() throws -> ID<Credential> { try id("token") }
}
