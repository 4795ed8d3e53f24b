public import StrictJSON

/// The answer to "which app opens this URL?".
public struct Evaluation: Hashable, Sendable {
    /// What becomes of a URL.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// An app opens it.
        case opens
        /// A rule keeps it on the web.
        case excluded
        /// No rule speaks of it.
        case none
    }

    /// What the file says of one app.
    public struct AppVerdict: Hashable, Sendable {
        /// The app ID as the file spells it, its prefix in capital letters.
        public let app: String
        /// What becomes of the URL, as far as this app goes.
        public let outcome: Outcome
        /// The rule that decided: a pointer into the file, such as `/applinks/details/0/components/2`, or to the entry
        /// where that has no rules. Nil if none did.
        public let decidedBy: JSONPointer?
        /// How certain the outcome is; nil if that was not asked.
        public internal(set) var certainty: Certainty?
        /// The rules of matching that the outcome rests on and that are not certain, a sentence each.
        public internal(set) var uncertainties: [String] = []
    }

    /// Why a URL is not looked at, whatever the rules say.
    public struct Ineligibility: Hashable, Sendable {
        /// The kinds; stable, for programs.
        public enum Code: String, Hashable, Sendable, CaseIterable {
            /// Not a URL.
            case unparsable
            /// Neither http nor https.
            case scheme
            /// A port other than the scheme's own.
            case port
            /// A host without a period.
            case hostNotQualified = "host_not_qualified"
            /// A host that the entitlement does not name.
            case otherHost = "other_host"
            /// An entitlement with a port.
            case entitlementPort = "entitlement_port"
            /// An entitlement that is no domain.
            case entitlementMalformed = "entitlement_malformed"
            /// The system rejects the file as a whole.
            case fileRejected = "file_rejected"
            /// Matching would take more work than is allowed; Apple's systems give up on such patterns too.
            case tooComplex = "too_complex"
        }

        /// What kind.
        public let code: Code
        /// Why, in a sentence for people.
        public let detail: String
    }

    /// The URL as given.
    public let url: String
    /// What becomes of it: opened if any app opens it; else excluded if any rule excluded it.
    public let outcome: Outcome
    /// The first app in file order that opens it.
    public let app: String?
    /// Every app of the file, in file order.
    public internal(set) var apps: [AppVerdict]
    /// Why the URL was not looked at; nil if it was.
    public let ineligibility: Ineligibility?
    /// How certain ``outcome`` and ``app`` are; nil if that was not asked.
    public internal(set) var certainty: Certainty?
    /// The rules of matching that they rest on and that are not certain, a sentence each.
    public internal(set) var uncertainties: [String] = []
    /// The domain of the entitlement that names the URL's host; nil if no domains were given, or none names it.
    public internal(set) var entitlementDomain: String?
    /// How the outcome of each app came about; nil if that was not asked.
    public internal(set) var trace: [AppTrace]?
}

extension Association {
    /// Which app opens a URL, and how certain that is. To ask about many URLs, make an ``Explainer`` once, or, where
    /// certainty does not matter, a ``CompiledAssociation``.
    ///
    /// - Parameters:
    ///   - url: An absolute URL, or a path with query and fragment, which stands for that path on the file's own host.
    ///   - entitlementDomain: What the app's entitlement says after `applinks:`, such as `example.com` or
    ///     `*.example.com`; nil takes any host.
    ///   - system: The system that reads the file.
    public func evaluate(
        _ url: String, entitlementDomain: String? = nil, os system: SystemVersion = .latest
    ) -> Evaluation {
        evaluate(url, entitlementDomains: entitlementDomain.map { [$0] } ?? [], os: system)
    }

    /// The same for an entitlement that lists several domains; none takes any host.
    public func evaluate(
        _ url: String, entitlementDomains: [String], os system: SystemVersion = .latest,
        explaining explanation: Explainer.Explanation = .nothing
    ) -> Evaluation {
        Explainer(self, os: system).evaluate(url, entitlementDomains: entitlementDomains, explaining: explanation)
    }
}
