import AASA
import Storage
import StrictJSON

/// What changes from one file of a domain to another: in its rules, in its bytes, and in what becomes of URLs.
extension API {
    /// The draft against what is live, or against a version. Before the first publication, against an empty file.
    func compareDraft(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let from = try call.comparedVersion()
        let systems = try call.comparedSystems()
        return try await difference(of: member, systems) { tenant in
            let draft = try tenant.draft(host).draft.association()
            let number = try from ?? tenant.domain(host).live?.version
            return Comparison(
                before: try tenant.comparedFile(ofVersion: number, of: host), after: (draft.bytes, draft),
                urls: try tenant.allTests(host).map(\.test.url))
        }
    }

    /// A version against another one; without one, against the version before it.
    func compareVersion(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let number = try call.versionNumber()
        let from = try call.comparedVersion() ?? (number > 1 ? number - 1 : nil)
        let systems = try call.comparedSystems()
        return try await difference(of: member, systems) { tenant in
            Comparison(
                before: try tenant.comparedFile(ofVersion: from, of: host),
                after: try tenant.comparedFile(ofVersion: number, of: host),
                urls: try tenant.allTests(host).map(\.test.url))
        }
    }

    private struct Comparison: Sendable {
        let before: ByteDifference.File
        let after: ByteDifference.File
        /// Those of the domain's saved tests.
        let urls: [String]

        var systems: [SystemVersion] { before.association.systemsToCompare(with: after.association) }
    }

    private func difference(
        of member: Member, _ systems: [SystemVersion]?,
        _ comparison: @escaping @Sendable (TenantTransaction) throws -> Comparison
    ) async throws -> Answer {
        let files = try await store.read(as: member.organization.id, comparison)
        let (before, after) = (files.before.association, files.after.association)
        let difference = before.difference(to: after, urls: files.urls, systems: systems ?? files.systems)
        return .json(difference.json(bytes: ByteDifference(from: files.before, to: files.after)))
    }
}

extension TenantTransaction {
    /// A version's file; one that says nothing, and has no bytes, for none.
    fileprivate func comparedFile(ofVersion number: Int?, of host: Host) throws -> ByteDifference.File {
        guard let number else { return ([], Association(root: [:])) }
        let bytes = try file(ofVersion: number, of: host)
        return (bytes, try Association(uploaded: bytes))
    }
}

extension Call {
    /// The version named by `from`.
    fileprivate func comparedVersion() throws -> Int? {
        guard query("from") != nil else { return nil }
        return try query("from", in: 1...Int(Int32.max), default: 1)
    }
    /// The systems named by `os`, each once; nil without.
    fileprivate func comparedSystems() throws -> [SystemVersion]? {
        let names = queries("os")
        if names.isEmpty { return nil }
        let systems = try names.map { name in
            guard let system = SystemVersion(rawValue: name) else {
                let known = SystemVersion.allCases.map(\.rawValue).joined(separator: ", ")
                throw APIError.invalidParameter("os", "has to be one of \(known)")
            }
            return system
        }
        return SystemVersion.allCases.reversed().filter(systems.contains)
    }
}
