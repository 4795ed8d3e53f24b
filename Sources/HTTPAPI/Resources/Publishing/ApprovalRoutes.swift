import AASA
import HTTPTypes
import Hex
import Storage
import StrictJSON

/// `/v1/approval-policies`: which files need approvals before they go live. `/v1/approval-requests`: people ask others
/// to approve files.
extension API {
    func listApprovalPolicies(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let policies = try await read(as: member) { try $0.approvalPolicies(page) }
        return call.list(policies, \.json)
    }

    func createApprovalPolicy(_ call: Call, _ member: Member) async throws -> Answer {
        let terms = try call.decode { reader -> ApprovalPolicy.Terms? in
            let label = reader.optional("label", .label)
            let approvals = reader.required("approvals", .int(in: ApprovalPolicy.approvals))
            let bypassers = reader.optional("bypassers", .bypassers, default: [])
            return approvals.map { ApprovalPolicy.Terms(label: label, approvals: $0, bypassers: bypassers) }
        }
        let made = try await write(as: member) { try $0.createApprovalPolicy(terms) }
        return .created(made.json, at: "/v1/approval-policies/\(made.id)")
    }

    func showApprovalPolicy(_ call: Call, _ member: Member) async throws -> Answer {
        let id: ID<ApprovalPolicy> = try call.id("approval policy")
        return .json(try await read(as: member) { try $0.approvalPolicy(id) }.json)
    }

    func changeApprovalPolicy(_ call: Call, _ member: Member) async throws -> Answer {
        let id: ID<ApprovalPolicy> = try call.id("approval policy")
        let change = try call.decode { reader in
            .some(
                (
                    approvals: reader.replacement("approvals", .int(in: ApprovalPolicy.approvals)),
                    bypassers: reader.replacement("bypassers", .bypassers)
                ))
        }
        let changed = try await write(as: member) {
            try $0.changeApprovalPolicy(id, approvals: change.approvals, bypassers: change.bypassers)
        }
        return .json(changed.json)
    }

    func deleteApprovalPolicy(_ call: Call, _ member: Member) async throws -> Answer {
        let id: ID<ApprovalPolicy> = try call.id("approval policy")
        try await write(as: member) { try $0.deleteApprovalPolicy(id) }
        return .noContent
    }

    func listApprovalRequests(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let host = try call.hostFilter()
        let isPending: Bool? =
            switch call.query("state") {
            case nil: nil
            case "pending": true
            case "ended": false
            default: throw APIError.invalidParameter("state", "must be pending or ended")
            }
        let requests = try await read(as: member) { try $0.approvalRequests(page, isPending: isPending, of: host) }
        return call.list(requests) { $0.json() }
    }

    func requestApproval(_ call: Call, _ member: Member) async throws -> Answer {
        let new = try call.decode { reader -> (choice: DomainChoice, version: Int?, message: String)? in
            let hosts = reader.optional("hosts", .array(of: .host, max: ApprovalRequest.maximumFiles))
            let label = reader.optional("label", .label)
            let version = reader.optional("version", .int(in: 1...Int(Int32.max)))
            let message = reader.required("message", .reason)
            if ["hosts", "label"].count(where: { reader.value($0)?.isNull == false }) != 1 || hosts == [] {
                reader.fault("hosts", "required", "name the domains by hosts or by a label, not both")
            } else if version != nil, hosts?.count != 1 {
                reader.fault("version", "invalid", "a version needs exactly one host")
            }
            return message.map { (label.map { .label($0) } ?? .hosts(hosts ?? []), version, $0) }
        }
        let made = try await write(as: member) { tenant in
            try tenant.require(member.grant, toReach: new.choice)
            return try tenant.requestApproval(of: new.choice, version: new.version, message: new.message)
        }
        return .created(made.json(reviews: []), at: "/v1/approval-requests/\(made.id)")
    }

    func showApprovalRequest(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.approvalRequestID()
        return .json(try await read(as: member) { try $0.approvalRequest(id).json(reviews: $0.reviews(of: id)) })
    }

    func cancelApprovalRequest(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.approvalRequestID()
        return try await review(id, member) { try $0.cancelApprovalRequest(id, as: member.role) }
    }

    func commentOnApprovalRequest(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.approvalRequestID()
        let text = try call.decode { $0.required("text", .review) }
        return try await review(id, member) { try $0.comment(on: id, text) }
    }

    func giveApproval(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.approvalRequestID()
        let text = try call.decode { $0.optional("text", .remark, default: "") }
        return try await review(id, member) { try $0.approve(id, text: text) }
    }

    func rejectApprovalRequest(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.approvalRequestID()
        let reason = try call.decode { $0.required("reason", .review) }
        return try await review(id, member) { try $0.reject(id, because: reason) }
    }

    /// Changes a request, all of whose domains the member reaches.
    private func review(
        _ id: ID<ApprovalRequest>, _ member: Member,
        _ change: @escaping @Sendable (TenantTransaction) throws -> ApprovalRequest
    ) async throws -> Answer {
        .json(
            try await write(as: member) { tenant in
                if member.grant.isLimited {
                    try tenant.require(member.grant, toReach: tenant.approvalRequest(id).files.map(\.host))
                }
                return try change(tenant).json(reviews: tenant.reviews(of: id))
            })
    }
}

extension ApprovalPolicy {
    var json: JSONValue {
        [
            "id": .string(id.description), "label": .text(terms.label), "approvals": .int(terms.approvals),
            "bypassers": .array(terms.bypassers.map(JSONValue.string)), "createdAt": .time(createdAt),
        ]
    }
}

extension ApprovalRequest {
    /// The request as JSON. Without reviews, as in lists, the files are left out too.
    func json(reviews: [Review]? = nil) -> JSONValue {
        var object: JSONObject = [
            "id": .string(id.description), "state": .string(state.rawValue), "message": .string(message),
            "requestedBy": requester.json, "createdAt": .time(createdAt), "endedAt": .time(endedAt),
            "hosts": .array(files.map { .string($0.host.description) }),
        ]
        if let reviews {
            object["files"] = .array(files.map(\.json))
            object["reviews"] = .array(reviews.map(\.json))
        }
        return .object(object)
    }
}

extension ApprovalRequest.File {
    fileprivate var json: JSONValue {
        [
            "host": .string(host.description), "version": version.map(JSONValue.int) ?? .null,
            "draftRevision": .int(draftRevision), "sha256": .string(Hexadecimal.encode(sha256)), "size": .int(size),
            "outdated": .bool(isOutdated), "live": .bool(isLive), "editors": .array(editors.map(\.json)),
            "required": .int(need?.required ?? 0), "given": .int(need?.given ?? 0),
            "approvedBy": .array(approvers.map(JSONValue.string)),
        ]
    }
}

extension ApprovalRequest.Review {
    fileprivate var json: JSONValue {
        [
            "id": .string(id.description), "kind": .string(kind.rawValue), "text": .string(text),
            "author": author.json, "createdAt": .time(createdAt),
        ]
    }
}

extension JSONShape where Value == String {
    /// A comment that is not empty. Line breaks are allowed.
    fileprivate static var review: JSONShape<String> { .plainText(min: 1, max: 1_000, besides: ["\n", "\r"]) }
}

extension JSONShape where Value == [String] {
    fileprivate static var bypassers: JSONShape<[String]> {
        .array(of: .text(min: 3, max: 254), max: ApprovalPolicy.maximumBypassers)
    }
}

extension Call {
    fileprivate func approvalRequestID() throws -> ID<ApprovalRequest> { try id("approval request") }
}
