public import StrictJSON

/// The differences between two files, before and after: in their content, and in which URLs they open.
///
/// The result of ``Association/difference(to:urls:samples:systems:steps:)``.
public struct Difference: Sendable {
    /// The rules that differ, in the order of the file after. Removed rules are listed at their old places.
    public internal(set) var rules: [RuleChange] = []
    /// The entries that differ in anything other than their rules.
    public internal(set) var entries: [EntryChange] = []
    /// The changes of the apps that get universal links.
    public internal(set) var apps = AppsChange()
    /// The other services whose apps differ.
    public internal(set) var services: [ServiceChange] = []
    /// The `substitutionVariables` that differ.
    public internal(set) var variables: [VariableChange] = []
    /// The keys of `defaults` that differ, of the file and of the entries.
    public internal(set) var defaults: [DefaultChange] = []
    /// All other differences: keys that Apple's systems do not know or do not read in this place, and values of a wrong
    /// type.
    public internal(set) var other: [OtherChange] = []
    /// The URLs whose outcome differs.
    public internal(set) var outcomes: [OutcomeChange] = []
    /// The numbers of URLs that were evaluated.
    public internal(set) var urls = URLCount()
    /// The systems that the URLs were evaluated for. The rules are compared by their meaning on the newest.
    public internal(set) var systems: [SystemVersion] = []
    /// Whether a limit was reached: rules were compared less precisely, lists were cut, or some URLs were not tried. All
    /// that the difference has is still correct.
    public internal(set) var isTruncated = false

    /// Whether the files have the same content, and no evaluated URL has a different outcome.
    public var isEmpty: Bool {
        rules.isEmpty && entries.isEmpty && apps.isEmpty && services.isEmpty && variables.isEmpty && defaults.isEmpty
            && other.isEmpty && outcomes.isEmpty
    }

    /// Whether the files have the same meaning: they differ at most in form, in comments and in keys without a known
    /// effect, and no evaluated URL has a different outcome.
    public var isWithoutEffect: Bool {
        rules.allSatisfy { $0.kind == .sameMeaning } && entries.isEmpty && apps.isEmpty && services.isEmpty
            && variables.isEmpty && outcomes.isEmpty
    }

    /// The default limit for the work of evaluating URLs. Evaluating 500 URLs in two files of 128 KiB takes about 0.1 s.
    /// For files that are made to be slow, evaluation stops after about 0.5 s, and some URLs are not tried.
    public static let usualSteps = 400_000_000

    /// The maximum number of given URLs that are tried.
    public static let maximumGiven = 10_000
}

extension Difference {
    /// A rule that differs.
    public struct RuleChange: Hashable, Sendable {
        /// What happened to it.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// Only the file after has it.
            case added
            /// Only the file before has it.
            case removed
            /// Its meaning is the same; its place among the rules of its entry has changed.
            case moved
            /// Its meaning has changed.
            case changed
            /// Its text differs and its meaning is the same, for example because of `defaults`, normalisation or explicit
            /// default values.
            case sameMeaning = "same_meaning"
        }

        /// What happened to it.
        public let kind: Kind
        /// Its place in the file before; nil if it was not there.
        public let from: JSONPointer?
        /// Its place in the file after; nil if it is not there.
        public let to: JSONPointer?
        /// The apps of its entry, before and after; at most 50.
        public let apps: [String]
        /// Its JSON in the file before; nil if it was not there. Also nil for an entry without rules, which counts as one
        /// rule that matches every URL.
        public let before: JSONValue?
        /// Its JSON in the file after; nil in the same cases.
        public let after: JSONValue?
        /// The parts that differ; empty for added, removed and moved rules.
        public let parts: [PartChange]
    }

    /// A part of a rule, before and after.
    public struct PartChange: Hashable, Sendable {
        /// The parts, with their names in a draft.
        public enum Part: String, Hashable, Sendable, CaseIterable {
            case path, query, fragment, exclude, caseSensitive, percentEncoded, comment
            /// Unknown keys.
            case extras
            /// The form: a component in one file, an element of `paths` in the other.
            case form
        }

        /// Which part.
        public let part: Part
        /// The value in the file before; nil for none. In a rule whose meaning has changed, this is the effective value,
        /// with `defaults` applied; otherwise the value as written.
        public let before: JSONValue?
        /// The value in the file after, in the same form.
        public let after: JSONValue?
    }

    /// An element of `applinks.details` that differs.
    public struct EntryChange: Hashable, Sendable {
        /// What happened to it.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case added, removed, moved
            /// Its apps have changed.
            case changed
        }

        /// What happened to it. An entry that was changed and moved is `changed`.
        public let kind: Kind
        /// Its place in the file before; nil if it was not there.
        public let from: JSONPointer?
        /// Its place in the file after; nil if it is not there.
        public let to: JSONPointer?
        /// Its apps in the file before, in order.
        public let before: [String]
        /// Its apps in the file after, in order.
        public let after: [String]
    }

    /// The changes of a list of apps, by their IDs.
    public struct AppsChange: Hashable, Sendable {
        /// The apps that only the file after has, in its order.
        public internal(set) var added: [String] = []
        /// The apps that only the file before has, in its order.
        public internal(set) var removed: [String] = []
        /// Whether the apps of both files have another order, which matters if several apps open the same URL.
        public internal(set) var isReordered = false

        /// Whether the apps are the same, in the same order.
        public var isEmpty: Bool { added.isEmpty && removed.isEmpty && !isReordered }
    }

    /// A service other than `applinks` whose apps differ.
    public struct ServiceChange: Hashable, Sendable {
        /// Its name, such as `webcredentials`.
        public let service: String
        /// The apps that only the file after has.
        public let added: [String]
        /// The apps that only the file before has.
        public let removed: [String]
    }

    /// A substitution variable that differs.
    public struct VariableChange: Hashable, Sendable {
        /// Its name, without `$(` and `)`.
        public let name: String
        /// Its value in the file before; nil if it was not there.
        public let before: JSONValue?
        /// Its value in the file after; nil if it is not there.
        public let after: JSONValue?
    }

    /// A key of `defaults` that differs.
    public struct DefaultChange: Hashable, Sendable {
        /// The place of the `defaults` in the file before; nil if their entry was not there.
        public let from: JSONPointer?
        /// The place of the `defaults` in the file after; nil if their entry is not there.
        public let to: JSONPointer?
        /// The key.
        public let key: String
        /// Its value in the file before; nil for none.
        public let before: JSONValue?
        /// Its value in the file after; nil for none.
        public let after: JSONValue?
    }

    /// The place of any other difference.
    public struct OtherChange: Hashable, Sendable {
        /// Its place in the file before; nil if it was not there.
        public let from: JSONPointer?
        /// Its place in the file after; nil if it is not there.
        public let to: JSONPointer?
    }

    /// A URL whose outcome differs, or that another app opens. This can be for the file as a whole or for one app.
    public struct OutcomeChange: Hashable, Sendable {
        /// A file's verdict on the URL.
        public struct Verdict: Hashable, Sendable {
            /// Whether the URL is opened, excluded, or matched by no rule.
            public let outcome: Evaluation.Outcome
            /// The app that opens the URL. In the verdict for one app: that app, or nil if the file does not have it.
            public let app: String?
            /// The rule that decides; nil for none.
            public let decidedBy: JSONPointer?
        }

        /// The verdicts on the URL for one app.
        public struct AppChange: Hashable, Sendable {
            /// The app ID.
            public let app: String
            /// The verdict of the file before.
            public let before: Verdict
            /// The verdict of the file after.
            public let after: Verdict
        }

        /// The URL. A generated one starts with a slash and is on the file's own host.
        public let url: String
        /// Whether the URL was given; otherwise it was generated from the patterns.
        public let isGiven: Bool
        /// The system that the URL was evaluated for.
        public let system: SystemVersion
        /// The verdict of the file before.
        public let before: Verdict
        /// The verdict of the file after.
        public let after: Verdict
        /// The apps whose verdicts differ, in the order of the file after, then of the file before.
        public let apps: [AppChange]
    }

    /// The numbers of URLs that were evaluated.
    public struct URLCount: Hashable, Sendable {
        /// The number of all URLs that were tried.
        public internal(set) var tried = 0
        /// The number of given URLs among them.
        public internal(set) var given = 0
        /// The number of URLs whose outcome differs on any of the systems.
        public internal(set) var changed = 0
    }
}
