import Fetching
import Storage
import StrictJSON

/// The rules for the terms of a trust, so that no trust accepts the jobs of strangers.
struct TrustRules: Sendable {
    /// The organization's slug.
    let slug: String
    let allowsLoopback: Bool

    /// Claims that are checked in another way.
    private static let reserved: Set = ["iss", "aud", "exp", "nbf", "iat", "jti"]

    /// Adds the faults of terms to a reader. Returns true if there are any.
    func report(_ terms: Trust.Terms, to reader: JSONObjectReader) -> Bool {
        let faults = faults(of: terms)
        for fault in faults { reader.fault(fault.key, fault.code, fault.detail) }
        return !faults.isEmpty
    }

    private func faults(of terms: Trust.Terms) -> [(key: String, code: String, detail: String)] {
        var faults: [(String, String, String)] = []
        if FetchURL(terms.issuer, allowsLoopback: allowsLoopback) == nil || terms.issuer.contains("?") {
            faults.append(
                (
                    "issuer", "invalid_issuer",
                    "must be https:// with a host name, and an optional port and path, as in the tokens' claim `iss`"
                ))
        }
        if !terms.audience.hasSuffix("/" + slug) || !terms.audience.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            faults.append(
                (
                    "audience", "invalid_audience",
                    "must end with /\(slug), so that a token for another organization is not accepted"
                ))
        }
        if let name = terms.claims.keys.filter(Self.reserved.contains).min() {
            faults.append(("claims", "reserved_claim", "cannot contain \(name), which is checked in any case"))
        }
        let missing = terms.provider.missing(in: terms.claims)
        if !missing.isEmpty {
            faults.append(("claims", "claims_required", "must also contain \(missing.joined(separator: ", and "))"))
        }
        for name in terms.provider.numbers {
            if let value = terms.claims[name], !value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                faults.append(
                    ("claims", "invalid_claim", "must have a number in \(name), not a name: \(value.prefix(50))"))
            }
        }
        return faults
    }
}

extension Trust.Provider {
    private static let gitHubIssuer = "https://token.actions.githubusercontent.com"
    private static let gitLabIssuer = "https://gitlab.com"

    /// The provider of a well-known issuer.
    init?(issuer: String) {
        switch issuer {
        case Self.gitHubIssuer: self = .github
        case Self.gitLabIssuer: self = .gitlab
        default: return nil
        }
    }

    /// The issuer of the provider's public service.
    var usualIssuer: String? {
        switch self {
        case .github: Self.gitHubIssuer
        case .gitlab: Self.gitLabIssuer
        case .other: nil
        }
    }

    /// The claims that are numbers. A person could enter a name by mistake, and names can be given to others.
    fileprivate var numbers: [String] {
        switch self {
        case .github: ["repository_id", "repository_owner_id"]
        case .gitlab: ["project_id", "namespace_id"]
        case .other: []
        }
    }

    /// What the required claims lack, in words. A repository's name is not enough, because it can be renamed,
    /// transferred or used again; its numbers cannot. A branch or environment is required, because anyone who can push
    /// a branch can write its workflow. GitLab's `ref` does not say whether it is a branch or a tag.
    fileprivate func missing(in claims: [String: String]) -> [String] {
        let (branch, text): ([String], String) =
            switch self {
            case .github: (["ref"], "`ref` or `environment`")
            case .gitlab: (["ref", "ref_type"], "`ref` with `ref_type`, or `environment`")
            case .other: (["sub"], "`sub`")
            }
        let hasPlace =
            branch.allSatisfy { claims[$0] != nil } || self != .other && claims["environment"] != nil
        return numbers.filter { claims[$0] == nil }.map { "`\($0)`" } + (hasPlace ? [] : [text])
    }
}

extension JSONShape where Value == [String: String] {
    /// Required claims: 1 to 20 names, each with the exact text of its value.
    static var claims: JSONShape {
        JSONShape<JSONObject>.anyObject.then { (object: JSONObject) throws(InvalidClaims) in
            guard (1...20).contains(object.count) else { throw InvalidClaims(detail: "must have 1 to 20 claims") }
            var claims: [String: String] = [:]
            for member in object.members {
                guard (1...100).contains(member.name.utf8.count),
                    member.name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
                else { throw InvalidClaims(detail: "must have names of 1 to 100 ASCII characters") }
                guard let value = member.value.string, (1...500).contains(value.utf8.count), !value.utf8.contains(0)
                else { throw InvalidClaims(detail: "must have a text of 1 to 500 bytes for \(member.name)") }
                claims[member.name] = value
            }
            return claims
        }
    }
}

private struct InvalidClaims: JSONFaultReason {
    let detail: String
    var code: String { "invalid_claim" }
}
