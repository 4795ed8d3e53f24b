import AASA
import HTTPTypes
import Hex
import Publishing
import Storage
import StrictJSON

/// `/v1/domains`: the organization's hosts and their aliases.
extension API {
    func listDomains(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let filter = try call.domainFilter()
        let order = try call.choice("sort", of: DomainOrder.self) ?? .host
        let isCounted = try call.flag("counts")
        let (domains, counts) = try await read(as: member) { tenant in
            (
                try tenant.domains(page, filter, sortedBy: order),
                isCounted ? try tenant.domainCounts(filter) : nil
            )
        }
        return call.list(
            domains.items.map(\.json), next: domains.next, more: counts.map { ["counts": $0.json] } ?? [:])
    }

    func listLabels(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let beginning = call.query("q")
        let labels = try await read(as: member) { try $0.labels(page, beginning: beginning) }
        return call.list(
            labels.items.map { ["label": .string($0.label), "domains": .int($0.domains)] }, next: labels.next)
    }

    func createDomain(_ call: Call, _ member: Member) async throws -> Answer {
        let new = try call.decode { reader -> (host: Host, aliasOf: Host?, labels: [String])? in
            let host = reader.required("host", .host)
            let aliasOf = reader.optional("aliasOf", .host)
            let labels = reader.optional("labels", .labels, default: [])
            guard let host else { return nil }
            return (host, aliasOf, labels)
        }
        let verifies = settings.isLocal && new.host.isReserved
        let domain = try await unlessTaken(member) {
            try await write(as: member) { tenant in
                var domain = try tenant.createDomain(
                    new.host, aliasOf: new.aliasOf, labels: new.labels, as: member.role)
                // Ignore the error, because the response must not reveal that another organization serves the host.
                if verifies {
                    do { domain = try tenant.claim(new.host) } catch StorageError.claimedElsewhere {}
                }
                return domain
            }
        } existing: { _ in
            "/v1/domains/\(new.host)"
        }
        return .created(domain.json, at: "/v1/domains/\(domain.host)")
    }

    func showDomain(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        return .json(try await read(as: member, .domain(host)).json)
    }

    func changeDomain(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let change = try call.decode { reader in
            .some((aliasOf: reader.change("aliasOf", .host), labels: reader.replacement("labels", .labels)))
        }
        let domain = try await write(as: member) { tenant in
            let old = try tenant.lockedDomain(host, with: change.aliasOf.applied(to: nil))
            return try tenant.updateDomain(
                host, aliasOf: change.aliasOf.applied(to: old.aliasOf), labels: change.labels ?? old.labels,
                as: member.role)
        }
        return .json(domain.json)
    }

    func deleteDomain(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        try await write(as: member) {
            try $0.deleteDomain(host, as: member.role)
        }
        return .noContent
    }

    /// Verifies a domain without proof. Only a local installation allows this, because it has no other tenants to harm.
    func verifyDomain(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        _ = try call.decode { $0.required("method", .choice(of: VerificationMethod.self)) }
        guard settings.isLocal else {
            throw APIError(
                .forbidden, "verification_unavailable",
                "Ask the operator to verify the domain: waymark domain verify \(host)")
        }
        return .json(
            try await write(as: member) { try $0.claim(host) }.json)
    }
}

extension Call {
    /// The maximum number of hosts that a request can list.
    private static let maximumHosts = 50

    fileprivate func domainFilter() throws -> DomainFilter {
        var filter = DomainFilter()
        filter.search = hostSearch()
        let hosts = try queries("host").map { text in
            guard let host = try? Host(typed: text) else {
                throw APIError.invalidParameter("host", "must be a host, such as www.example.com")
            }
            return host
        }
        guard hosts.count <= Self.maximumHosts else {
            throw APIError.invalidParameter("host", "can be given at most \(Self.maximumHosts) times")
        }
        filter.hosts = hosts.isEmpty ? nil : hosts
        filter.label = query("label")
        filter.state = try choice("state", of: Domain.State.self)
        filter.publication = try choice("publication", of: Domain.PublicationStanding.self)
        filter.problem = try choice("problem", of: DomainProblem.self)
        return filter
    }
}

extension DomainCounts {
    fileprivate var json: JSONValue {
        let counts = DomainProblem.allCases.map { ($0.rawValue, JSONValue.int(problems[$0] ?? 0)) }
        return [
            "limit": .int(Self.limit), "matching": .int(matching), "problems": .object(JSONObject(counts)),
        ]
    }
}

private enum VerificationMethod: String, CaseIterable {
    case local
}

extension Host {
    /// True if the name is reserved, so nobody can register it (RFC 2606, RFC 6761). A local installation verifies such
    /// names without proof.
    var isReserved: Bool {
        ["example", "test", "localhost"].contains { description == $0 || description.hasSuffix("." + $0) }
    }
}

extension Domain {
    var json: JSONValue {
        [
            "host": .string(host.description), "unicodeHost": .string(host.unicode),
            "aliasOf": .text(aliasOf?.description),
            "aliases": .array(aliases.map { .string($0.description) }),
            "labels": .array(labels.map(JSONValue.string)),
            "verified": .bool(verifiedAt != nil), "verifiedAt": .time(verifiedAt), "state": .string(state.rawValue),
            "draft": aliasOf == nil
                ? [
                    "revision": .int(draftRevision), "size": .int(draftSize), "changed": .bool(isDraftChanged),
                    "changedAt": .time(draftChangedAt), "apps": .array(draftApps.map(\.json)),
                    "appCount": .int(draftAppCount),
                ] : .null,
            "checks": checks?.json ?? .null, "live": live?.json ?? .null, "serving": serving?.json ?? .null,
            "pending": pending?.json ?? .null, "stopped": stopped?.json ?? .null,
            "withdrawal": withdrawal?.json ?? .null,
            "freeze": freeze?.json ?? .null, "createdAt": .time(createdAt),
        ]
    }
}

extension Domain.NamedApp {
    fileprivate var json: JSONValue { ["appID": .string(appID), "name": .text(name)] }
}

extension Domain.Checks {
    fileprivate var json: JSONValue {
        [
            "errors": .int(errors), "warnings": .int(warnings), "notices": .int(notices), "tests": .int(tests),
            "failed": .int(failed), "current": .bool(isCurrent),
        ]
    }
}

extension Domain.Serving {
    fileprivate var json: JSONValue { ["consumers": .int(consumers), "applied": .int(applied)] }
}

extension Domain.Pending {
    fileprivate var json: JSONValue {
        [
            "publication": .string(publication.description), "version": .int(version), "at": .rfc3339(dueAt),
            "count": .int(count),
        ]
    }
}

extension Domain.Stopped {
    fileprivate var json: JSONValue {
        [
            "publication": .string(publication.description), "version": .int(version),
            "state": .string(state.rawValue), "endedAt": .time(endedAt), "cause": .text(cause),
        ]
    }
}

extension Domain.Live {
    var json: JSONValue {
        [
            "version": .int(version), "activation": .number(activation), "sha256": .string(Hexadecimal.encode(sha256)),
            "size": .int(size), "publishedAt": .time(since),
        ]
    }
}

extension JSONShape where Value == Host {
    /// A host, in ASCII or Unicode.
    static var host: JSONShape<Host> { .text(as: { (text: String) throws(UnusableHost) in try Host(typed: text) }) }
}

extension JSONShape where Value == [String] {
    /// Up to 20 labels of 1 to 63 characters.
    static var labels: JSONShape<[String]> { .array(of: .label, max: 20) }
}
