public import StrictJSON

/// The answer to "which app opens this URL?".
public struct Evaluation: Hashable, Sendable {
    /// What happens when a person follows a link to a URL.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// An app opens it.
        case opens
        /// A rule excludes it, so it opens in the browser.
        case excluded
        /// No rule matches, so it opens in the browser.
        case none
    }

    /// The outcome for one app.
    public struct AppVerdict: Hashable, Sendable {
        /// The app ID as the file spells it, with the prefix in capital letters.
        public let app: String
        /// The outcome of the URL for this app.
        public let outcome: Outcome
        /// The rule that decided: a pointer into the file, such as `/applinks/details/0/components/2`, or to the entry
        /// if it has no rules. Nil if no rule matched.
        public let decidedBy: JSONPointer?
        /// How certain the outcome is; nil if it was not requested.
        public internal(set) var certainty: Certainty?
        /// The undocumented matching rules that the outcome depends on, one sentence each.
        public internal(set) var uncertainties: [String] = []
    }

    /// Why a URL cannot open an app, whatever the rules say.
    public struct Ineligibility: Hashable, Sendable {
        /// The kinds; stable, for programs.
        public enum Code: String, Hashable, Sendable, CaseIterable {
            /// Not a URL.
            case unparsable
            /// Neither http nor https.
            case scheme
            /// A port other than the scheme's default.
            case port
            /// A host without a period.
            case hostNotQualified = "host_not_qualified"
            /// A host that the entitlement does not cover.
            case otherHost = "other_host"
            /// An entitlement with a port.
            case entitlementPort = "entitlement_port"
            /// An entitlement that is not a domain.
            case entitlementMalformed = "entitlement_malformed"
            /// The system rejects the whole file.
            case fileRejected = "file_rejected"
            /// Matching would exceed the work limit; iOS gives up on such patterns too.
            case tooComplex = "too_complex"
        }

        /// The kind.
        public let code: Code
        /// Why, as a sentence for people.
        public let detail: String
    }

    /// The URL as given.
    public let url: String
    /// The outcome: `opens` if any app opens it, otherwise `excluded` if any rule excludes it.
    public let outcome: Outcome
    /// The first app in file order that opens it.
    public let app: String?
    /// Every app of the file, in file order.
    public internal(set) var apps: [AppVerdict]
    /// Why the URL cannot open an app; nil if the rules decided.
    public let ineligibility: Ineligibility?
    /// How certain ``outcome`` and ``app`` are; nil if it was not requested.
    public internal(set) var certainty: Certainty?
    /// The undocumented matching rules that they depend on, one sentence each.
    public internal(set) var uncertainties: [String] = []
    /// The entitlement's domain that covers the URL's host; nil if no domains were given, or none covers it.
    public internal(set) var entitlementDomain: String?
    /// Why each app has its outcome; nil if it was not requested.
    public internal(set) var trace: [AppTrace]?
}

extension Association {
    /// Which app opens a URL, and how certain that is. For many URLs, create one ``Explainer``, or a
    /// ``CompiledAssociation`` if certainty does not matter.
    ///
    /// - Parameters:
    ///   - url: An absolute URL, or a path with query and fragment, which means that path on the file's own host.
    ///   - entitlementDomain: The text after `applinks:` in the app's entitlement, such as `example.com` or
    ///     `*.example.com`; nil accepts any host.
    ///   - system: The system that reads the file.
    public func evaluate(
        _ url: String, entitlementDomain: String? = nil, os system: SystemVersion = .latest
    ) -> Evaluation {
        evaluate(url, entitlementDomains: entitlementDomain.map { [$0] } ?? [], os: system)
    }

    /// The same for an entitlement with several domains; an empty list accepts any host.
    public func evaluate(
        _ url: String, entitlementDomains: [String], os system: SystemVersion = .latest,
        explaining explanation: Explainer.Explanation = .nothing
    ) -> Evaluation {
        Explainer(self, os: system).evaluate(url, entitlementDomains: entitlementDomains, explaining: explanation)
    }
}
