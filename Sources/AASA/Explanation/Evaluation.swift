public import StrictJSON

/// The result of evaluating a URL: which app opens it, and why.
public struct Evaluation: Hashable, Sendable {
    /// The effect of following a link to a URL.
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
        /// The app ID as written in the file, with its prefix in capital letters.
        public let app: String
        /// The outcome of the URL for this app.
        public let outcome: Outcome
        /// The rule that decided, as a pointer into the file, such as `/applinks/details/0/components/2`. If the entry
        /// has no rules, the pointer refers to the entry. `nil` if no rule matched.
        public let decidedBy: JSONPointer?
        /// The certainty of the outcome, or `nil` if it was not requested.
        public internal(set) var certainty: Certainty?
        /// The undocumented behaviour that the outcome depends on, as sentences.
        public internal(set) var uncertainties: [String] = []
    }

    /// The reason why a URL can never open an app, regardless of the rules.
    public struct Ineligibility: Hashable, Sendable {
        /// The kinds of reasons, as stable codes for programs.
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
            /// Matching would exceed the work limit. iOS also gives up on such patterns.
            case tooComplex = "too_complex"
        }

        /// The kind of reason.
        public let code: Code
        /// The reason, as a sentence for people.
        public let detail: String
    }

    /// The URL as given.
    public let url: String
    /// The outcome: `opens` if any app opens it, otherwise `excluded` if any rule excludes it.
    public let outcome: Outcome
    /// The first app in file order that opens the URL.
    public let app: String?
    /// All apps of the file, in file order.
    public internal(set) var apps: [AppVerdict]
    /// The reason why the URL cannot open an app, or `nil` if the rules decided.
    public let ineligibility: Ineligibility?
    /// The certainty of ``outcome`` and ``app``, or `nil` if it was not requested.
    public internal(set) var certainty: Certainty?
    /// The undocumented behaviour that ``outcome`` and ``app`` depend on, as sentences.
    public internal(set) var uncertainties: [String] = []
    /// The entitlement's domain that covers the URL's host. `nil` if no domains were given, or if none covers the host.
    public internal(set) var entitlementDomain: String?
    /// The explanation of each app's outcome, or `nil` if it was not requested.
    public internal(set) var trace: [AppTrace]?
}

extension Association {
    /// Determines which app opens a URL, and how certain this is. To evaluate many URLs, create an ``Explainer``, or a
    /// ``CompiledAssociation`` if you do not need the certainty.
    ///
    /// - Parameters:
    ///   - url: An absolute URL, or a path with query and fragment on the file's own host.
    ///   - entitlementDomain: The text after `applinks:` in the app's entitlement, such as `example.com` or
    ///     `*.example.com`. If `nil`, any host is accepted.
    ///   - system: The system that reads the file.
    public func evaluate(
        _ url: String, entitlementDomain: String? = nil, os system: SystemVersion = .latest
    ) -> Evaluation {
        evaluate(url, entitlementDomains: entitlementDomain.map { [$0] } ?? [], os: system)
    }

    /// Same as ``evaluate(_:entitlementDomain:os:)``, for an entitlement with several domains. If the list is empty,
    /// any host is accepted.
    public func evaluate(
        _ url: String, entitlementDomains: [String], os system: SystemVersion = .latest,
        explaining explanation: Explainer.Explanation = .nothing
    ) -> Evaluation {
        Explainer(self, os: system).evaluate(url, entitlementDomains: entitlementDomains, explaining: explanation)
    }
}
