import AASA
import Storage
import StrictJSON

/// `/v1/domains/{host}/rules`: the draft's rules, one at a time. Their ETag is that of the draft.
extension API {
    func listRules(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let stored = try await read(as: member) { try $0.draft(host) }
        return call.unlessKnown(stored.revision) { .list(stored.draft.allRules.map(placed)) }
    }

    /// Creates a rule. If no position is given, adds it at the end of its entry. An exclusion is added at the start, so
    /// that it takes effect.
    func createRule(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let revision = try Preconditions.requiredRevision(call.request)
        let new = try NewRule(json: call.json(), makeID: Draft.newID)
        let position = new.position ?? (new.rule.exclude == true ? 0 : nil)
        let stored = try await edit(host, revision, member, .ruleCreated, new.rule.id) { draft in
            let entry = try new.apps.map { try draft.entry(for: $0, makeID: Draft.newID) } ?? new.entry
            try draft.addRule(new.rule, entry: entry, position: position)
        }
        return .created(try rule(new.rule.id, in: stored), at: "/v1/domains/\(host)/rules/\(new.rule.id)")
            .tagged(stored.revision)
    }

    func showRule(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = call.path("id")
        let stored = try await read(as: member) { try $0.draft(host) }
        let rule = try rule(id, in: stored)
        return call.unlessKnown(stored.revision) { .json(rule) }
    }

    func changeRule(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = call.path("id")
        let revision = try Preconditions.requiredRevision(call.request)
        let patch = try RulePatch(json: call.json())
        let stored = try await edit(host, revision, member, .ruleChanged, id) { try _ = $0.patchRule(id, patch) }
        return .json(try rule(id, in: stored)).tagged(stored.revision)
    }

    func deleteRule(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = call.path("id")
        let revision = try Preconditions.requiredRevision(call.request)
        let stored = try await edit(host, revision, member, .ruleDeleted, id) { try _ = $0.removeRule(id) }
        return Answer.noContent.tagged(stored.revision)
    }

    /// Locks the draft, compares the revision, changes the draft and adds an audit entry, in one transaction.
    private func edit(
        _ host: Host, _ revision: Int?, _ member: Member, _ kind: EventKind, _ rule: String,
        _ change: @escaping @Sendable (inout Draft) throws -> Void
    ) async throws -> StoredDraft {
        try await write(as: member) { tenant in
            let old = try tenant.lockedDraft(host, expecting: revision)
            var draft = old.draft
            try change(&draft)
            return try tenant.saveDraft(draft, of: host, replacing: old, as: kind, rule: rule)
        }
    }

    private func rule(_ id: String, in stored: StoredDraft) throws -> JSONValue {
        guard let found = stored.draft.rule(id) else { throw APIError.notFound("rule", id) }
        return placed(found)
    }

    private func placed(_ found: (rule: Rule, entry: String, position: Int)) -> JSONValue {
        var object = found.rule.json.object ?? JSONObject()
        object["entry"] = .string(found.entry)
        object["position"] = .int(found.position)
        return .object(object)
    }
}
