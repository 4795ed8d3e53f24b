import AASA
import FoundationEssentials
import HTTPTypes
import Publishing
import Storage
import StrictJSON

/// `/v1/releases`: publishes many domains together. `/v1/release-previews`: shows the pending items that would take
/// effect before a release.
extension API {
    func listReleases(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let filter = try call.releaseFilter()
        let host = try call.hostFilter()
        let (releases, freezes) = try await read(as: member) { tenant in
            let releases = try tenant.releases(page, filter, with: host)
            return (releases, try releases.items.map { try tenant.freeze(stopping: $0) })
        }
        let items = zip(releases.items, freezes).map { $0.json(freeze: $1, detail: nil) }
        return call.list(items, next: releases.next, total: releases.total)
    }

    func createRelease(_ call: Call, _ member: Member) async throws -> Answer {
        let isDryRun = try call.flag("dryRun")
        var new = try call.decode { NewRelease(reader: $0) }
        new.isDryRun = isDryRun
        return try await make(new, rollingBack: nil, member)
    }

    func previewRelease(_ call: Call, _ member: Member) async throws -> Answer {
        let new = try call.decode { NewRelease(reader: $0) }
        let (dueAt, predecessors) = try await publisher.preview(of: new, as: member.organization.id)
        return .json(["at": .rfc3339(dueAt), "precededBy": .array(predecessors.map(\.json))])
    }

    func createRollback(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.releaseID()
        let new = try call.decode { NewRelease(of: .hosts([]), reader: $0) }
        return try await make(new, rollingBack: id, member)
    }

    func showRelease(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.releaseID()
        return .json(
            try await read(as: member) { tenant in
                let release = try tenant.release(id)
                return try tenant.json(of: release, reach: tenant.reach(of: release))
            })
    }

    func listReleaseDomains(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.releaseID()
        let page = try call.page()
        let state = try call.query("state").map { text in
            guard let state = ReleaseDomain.State(rawValue: text) else {
                let states = ReleaseDomain.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw APIError.invalidParameter("state", "must be one of \(states)")
            }
            return state
        }
        let domains = try await read(as: member) { try $0.domains(of: id, page, state: state) }
        return call.list(domains, \.json)
    }

    func cancelRelease(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.releaseID()
        let cancelled = try await write(as: member) { tenant in
            try tenant.require(member.grant, toReach: id)
            return try tenant.cancelRelease(id)
        }
        return .json(cancelled.json(freeze: nil, detail: (.nowhere, [], nil)))
    }

    private func make(_ new: NewRelease, rollingBack id: ID<Release>?, _ member: Member) async throws -> Answer {
        if member.grant.isLimited {
            try await read(as: member) { tenant in
                if let id {
                    try tenant.require(member.grant, toReach: tenant.release(id).id)
                } else {
                    try tenant.require(member.grant, toReach: new.choice)
                }
            }
        }
        let made = try await publisher.release(new, rollingBack: id, as: member.organization.id, by: member.author)
        jobsDoorbell.ring()
        let json = try await read(as: member) { try $0.json(of: made, reach: .nowhere) }
        return Answer.json(json, .accepted)
            .with(.location, "/v1/releases/\(made.id)")
    }
}

extension NewRelease {
    /// Reads a release of drafts.
    fileprivate init?(reader: JSONObjectReader) {
        let hosts = reader.optional("hosts", .array(of: .host, max: Release.maximumDomains))
        let label = reader.optional("label", .label)
        if ["hosts", "label"].count(where: { reader.value($0)?.isNull == false }) != 1 {
            reader.fault("hosts", "required", "name the domains by hosts or by a label, not both")
        } else if hosts == [] {
            reader.fault("hosts", "required", "name at least one domain")
        }
        self.init(of: label.map { .label($0) } ?? .hosts(hosts ?? []), reader: reader)
    }

    /// Reads the members that all new releases have in common.
    fileprivate init?(of choice: DomainChoice, reader: JSONObjectReader) {
        self.init(of: choice)
        message = reader.optional("message", .remark, default: "")
        reason = reader.optional("reason", .reason)
        overrides = reader.optional("override", .bool, default: false)
        bypassesApproval = reader.optional("bypassApproval", .bool, default: false)
        dueAt = reader.optional("at", .rfc3339)
        effectiveBy = reader.optional("effectiveBy", .rfc3339)
        zone = reader.optional("zone", .text(min: 1, max: 100))
        if overrides || bypassesApproval, reason == nil {
            reader.fault("reason", "required", "overriding or bypassing requires a reason")
        }
    }
}

extension Release {
    /// The release as JSON. `detail` contains its progress and the reasons why it would not go live. If `detail` is
    /// `nil`, as in lists, these members are omitted.
    func json(
        freeze: Freeze?, detail: (reach: ReleaseReach, predecessors: [ReleasePredecessor], blockedReason: String?)?
    ) -> JSONValue {
        var domains = JSONObject([("total", .int(counts.values.reduce(0, +)))])
        for state in ReleaseDomain.State.allCases { domains[state.rawValue] = .int(counts[state] ?? 0) }
        var object = JSONObject([
            ("id", .string(id.description)), ("state", .string(state.rawValue)), ("label", .text(label)),
            ("rollsBack", .text(rollsBack?.description)), ("rolledBackBy", .text(rolledBackBy?.description)),
            ("message", .string(message)), ("reason", .text(reason)),
            ("override", .bool(overrides)), ("bypassApproval", .bool(bypassesApproval)),
            ("dryRun", .bool(isDryRun)), ("requestedBy", requester.json),
            ("at", .rfc3339(dueAt)), ("effectiveBy", .rfc3339(effectiveBy)),
            ("late", late.map(JSONValue.int) ?? .null), ("zone", .text(zone)), ("domains", .object(domains)),
            ("activation", .number(activation)), ("cause", .text(cause)), ("createdAt", .time(createdAt)),
            ("startedAt", .time(startedAt)), ("endedAt", .time(endedAt)), ("freeze", freeze?.json ?? .null),
        ])
        if let (reach, predecessors, blockedReason) = detail {
            object["consumers"] = .array(reach.consumers.map(\.json))
            object["buckets"] = .array(reach.buckets.map(\.json))
            object["rollback"] = reach.rollback?.json ?? .null
            object["precededBy"] = .array(predecessors.map(\.json))
            object["blockedReason"] = .text(blockedReason)
        }
        return .object(object)
    }
}

extension TenantTransaction {
    /// The release as JSON, with all members.
    fileprivate func json(of release: Release, reach: ReleaseReach) throws -> JSONValue {
        try release.json(
            freeze: freeze(stopping: release), detail: (reach, predecessors(of: release), blockedReason(of: release)))
    }
}

extension ReleasePredecessor {
    var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "id": .string(id.uuidString.lowercased()),
            "host": .text(host?.description), "name": .string(name), "at": .rfc3339(dueAt),
        ]
    }
}

extension ReleaseDomain {
    var json: JSONValue {
        [
            "host": .string(host.description), "state": .string(state.rawValue),
            "draftRevision": draftRevision.map(JSONValue.int) ?? .null,
            "version": version.map(JSONValue.int) ?? .null, "failures": failures ?? [], "report": report ?? .null,
            "madeAgainst": .number(madeAgainst), "versionBefore": versionBefore.map(JSONValue.int) ?? .null,
            "activation": .number(activation),
        ]
    }
}

extension ReleaseConsumer {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "kind": .string(kind.rawValue), "domains": .int(domains), "seenAt": .time(seenAt),
        ]
    }
}

extension ReleaseBucket {
    fileprivate var json: JSONValue {
        ["name": .string(name), "domains": .int(domains), "comparedAt": .time(comparedAt)]
    }
}

extension ReleaseRollback {
    fileprivate var json: JSONValue {
        [
            "back": .int(back), "staying": .int(staying), "moved": .int(moved),
            "movedHosts": .array(movedHosts.map { .string($0.description) }),
        ]
    }
}

extension JSONFault {
    /// Creates the fault for an invalid choice of domains.
    init(choice fault: UnusableChoice.Fault) {
        let root = JSONPointer()
        self =
            switch fault {
            case .unknown(let host):
                JSONFault(
                    pointer: root.appending("hosts"), code: "not_found", detail: "there is no domain \(host)")
            case .alias(let host):
                JSONFault(
                    pointer: root.appending("hosts"), code: "alias",
                    detail: "\(host) is an alias; name the domain whose file it serves")
            case .emptyLabel:
                JSONFault(pointer: root.appending("label"), code: "not_found", detail: "no domain has this label")
            case .tooMany(let maximum):
                JSONFault(
                    pointer: root.appending("label"), code: "too_many",
                    detail: "more than \(maximum) domains have this label; a release can have at most \(maximum)")
            case .tooManyDrafts(let maximum):
                JSONFault(
                    pointer: root.appending("label"), code: "too_many",
                    detail: "more than \(maximum) domains name the app; a replacement can change at most \(maximum): "
                        + "replace the app by label or by hosts")
            }
    }
}

extension Call {
    fileprivate func releaseID() throws -> ID<Release> { try id("release") }

    fileprivate func releaseFilter() throws -> ReleaseFilter? {
        guard let text = query("state") else { return nil }
        guard let filter = ReleaseFilter(text) else {
            let states = Release.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError.invalidParameter("state", "must be pending or one of \(states)")
        }
        return filter
    }
}
