import AASA
import Storage
import StrictJSON

/// Compares two files of a domain: their rules, their bytes and the outcomes of URLs.
extension API {
    /// Compares the draft with a given version, or with the live one. If no version is live, with an empty file.
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

    /// Compares a version with a given version, or with the previous one.
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
        /// The URLs of the domain's saved tests.
        let urls: [String]

        var systems: [SystemVersion] { before.association.systemsToCompare(with: after.association) }
    }

    private func difference(
        of member: Member, _ systems: [SystemVersion]?,
        _ comparison: @escaping @Sendable (TenantTransaction) throws -> Comparison
    ) async throws -> Answer {
        let files = try await read(as: member, comparison)
        let (before, after) = (files.before.association, files.after.association)
        let difference = before.difference(to: after, urls: files.urls, systems: systems ?? files.systems)
        return .json(difference.json(bytes: ByteDifference(from: files.before, to: files.after)))
    }
}

extension TenantTransaction {
    /// The file of a version. If `number` is `nil`, an empty file.
    fileprivate func comparedFile(ofVersion number: Int?, of host: Host) throws -> ByteDifference.File {
        guard let number else { return ([], Association(root: [:])) }
        let bytes = try file(ofVersion: number, of: host)
        return (bytes, try Association(uploaded: bytes))
    }
}

extension Call {
    /// The version in `from`, or `nil` if absent.
    fileprivate func comparedVersion() throws -> Int? {
        guard query("from") != nil else { return nil }
        return try query("from", in: 1...Int(Int32.max), default: 1)
    }
    /// The systems in `os`, newest first and without duplicates, or `nil` if absent.
    fileprivate func comparedSystems() throws -> [SystemVersion]? {
        let names = queries("os")
        if names.isEmpty { return nil }
        let systems = try names.map { name in
            guard let system = SystemVersion(rawValue: name) else {
                let known = SystemVersion.allCases.map(\.rawValue).joined(separator: ", ")
                throw APIError.invalidParameter("os", "must be one of \(known)")
            }
            return system
        }
        return SystemVersion.allCases.reversed().filter(systems.contains)
    }
}
