import AASA
import HTTPTypes
import Publishing
import Storage
import StrictJSON

/// `/v1/apps/{appID}/replacements`: replaces an app with another in many drafts.
extension API {
    func listReplacements(_ call: Call, _ member: Member) async throws -> Answer {
        let app = try call.appID()
        let page = try call.page()
        let replacements = try await read(as: member) { tenant in
            guard try tenant.app(app) != nil else { throw APIError.notFound("app", app.description) }
            return try tenant.replacements(of: app, page)
        }
        return call.list(replacements) { $0.json(refusals: nil) }
    }

    func createReplacement(_ call: Call, _ member: Member) async throws -> Answer {
        let app = try call.appID()
        let new = try call.decode { NewReplacement(of: app, reader: $0) }
        let made = try await unlessTaken(member) {
            try await write(as: member, deadline: Self.replacementDeadline) { tenant in
                guard try tenant.app(app) != nil else { throw APIError.notFound("app", app.description) }
                guard try tenant.app(new.app) != nil else {
                    throw APIError.invalid(
                        JSONPointer().appending("with"), "not_found", "app \(new.app) is not registered")
                }
                return try tenant.createReplacement(of: app, with: new.app, in: new.choice, message: new.message)
            }
        } existing: { tenant in
            // Only the newest replacement of an app can be running.
            try tenant.replacements(of: app, Page(limit: 1)).items.first.map {
                "/v1/apps/\(app)/replacements/\($0.id)"
            }
        }
        jobsDoorbell.ring()
        return Answer.json(made.json(refusals: []), .accepted)
            .with(.location, "/v1/apps/\(app)/replacements/\(made.id)")
    }

    func showReplacement(_ call: Call, _ member: Member) async throws -> Answer {
        let app = try call.appID()
        let id: ID<Replacement> = try call.id("replacement")
        let (replacement, refusals) = try await read(as: member) { tenant in
            let replacement = try tenant.replacement(id)
            guard replacement.app == app else { throw APIError.notFound("replacement", id.description) }
            return (replacement, try tenant.refusals(of: id))
        }
        return .json(replacement.json(refusals: refusals))
    }

    /// The time limit for creating a replacement. Selecting 100,000 drafts takes a few seconds.
    private static let replacementDeadline = Duration.seconds(20)
}

private struct NewReplacement: Sendable {
    let app: AppID
    let choice: DomainChoice?
    let message: String

    init?(of old: AppID, reader: JSONObjectReader) {
        let app = reader.required("with", .text(as: AppID.init))
        let hosts = reader.optional("hosts", .array(of: .host, max: Release.maximumDomains))
        let label = reader.optional("label", .label)
        message = reader.optional("message", .remark, default: "")
        if hosts != nil, label != nil { reader.fault("hosts", "two_choices", "name hosts or a label, not both") }
        if hosts == [] { reader.fault("hosts", "required", "name at least one domain, or leave this out for all") }
        if app == old { reader.fault("with", "same_app", "must be another app than the one to replace") }
        choice = label.map { .label($0) } ?? hosts.map { .hosts($0) }
        guard let app else { return nil }
        self.app = app
    }
}

extension Replacement {
    /// The replacement as JSON. If `refusals` is `nil`, as in lists, this member is omitted.
    fileprivate func json(refusals: [Refusal]?) -> JSONValue {
        var object = JSONObject([
            ("id", .string(id.description)), ("appID", .string(app.description)),
            ("with", .string(replacement.description)), ("state", .string(state.rawValue)),
            ("message", .string(message)), ("requestedBy", requester.json), ("cause", .text(cause)),
            ("createdAt", .time(createdAt)), ("endedAt", .time(endedAt)),
            (
                "domains",
                [
                    "total": .int(total), "waiting": .int(waiting), "changed": .int(changed),
                    "passing": .int(changed - refused), "refused": .int(refused),
                ]
            ), ("tests", .int(tests)),
        ])
        if let refusals {
            object["refusals"] = .array(
                refusals.map { ["host": .string($0.host.description), "failures": $0.failures] })
        }
        return .object(object)
    }
}
