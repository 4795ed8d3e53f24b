import HTTPTypes
import Storage
import StrictJSON

/// `/v1/organizations`: new organizations. `/v1/organization`: the call's organization.
extension API {
    /// Creates an organization. The signed-in user becomes its owner.
    func createOrganization(_ call: Call, _ caller: Caller) async throws -> Answer {
        let user = try caller.session.user
        let new = try call.decode { reader -> (slug: String, name: String)? in
            let slug = reader.required("slug", .slug)
            let name = reader.optional("name", .name)
            return slug.map { ($0, name ?? $0) }
        }
        guard settings.organizationCreation != .nobody else {
            throw APIError(
                .forbidden, "operator_required", "On this installation, only the operator creates organizations.")
        }
        let made = try await store.write(as: ID(), by: caller.author) {
            try $0.createOrganization(slug: new.slug, name: new.name, owner: user)
        }
        authentication.callers.forget()
        return .json(made.json, .created)
    }

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

    /// Requests the deletion. The body repeats the organization's slug, because the deletion cannot be undone.
    func requestDeletion(_ call: Call, _ member: Member) async throws -> Answer {
        let own = member.organization.slug
        _ = try call.decode { reader -> String? in
            guard let slug = reader.required("slug", .plainText(min: 1, max: 63)) else { return nil }
            guard slug == own else {
                reader.fault("slug", "wrong_slug", "must be \(own), the slug of this organization")
                return nil
            }
            return slug
        }
        return .json(try await write(as: member) { try $0.requestDeletion() }.json)
    }

    func cancelDeletion(_ call: Call, _ member: Member) async throws -> Answer {
        .json(try await write(as: member) { try $0.cancelDeletion() }.json)
    }
}

extension Organization {
    var json: JSONValue {
        [
            "slug": .string(slug), "name": .string(name), "requiresSecondFactor": .bool(requiresSecondFactor),
            "quotas": quotas.json, "deletion": deletion?.json ?? .null,
        ]
    }
}

extension JSONShape where Value == String {
    fileprivate static var slug: JSONShape<String> {
        .plainText(min: 1, max: 63).then { (text: String) throws(NoSlug) in
            guard Organization.isSlug(text) else { throw NoSlug() }
            return text
        }
    }
}

private struct NoSlug: JSONFaultReason {
    var code: String { "invalid_slug" }
    var detail: String { "must have lower-case letters, digits and single hyphens, such as acme-shop" }
}
