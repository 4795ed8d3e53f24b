public import StrictJSON

/// The differences between an old and a new file, in their content and in the outcomes of URLs.
///
/// Created by ``Association/difference(to:urls:samples:systems:steps:)``.
public struct Difference: Sendable {
    /// The rules that differ, in the order of the new file. Removed rules are at their old places.
    public internal(set) var rules: [RuleChange] = []
    /// The entries that differ in other things than their rules.
    public internal(set) var entries: [EntryChange] = []
    /// The apps that gain or lose universal links.
    public internal(set) var apps = AppsChange()
    /// The other services whose apps differ.
    public internal(set) var services: [ServiceChange] = []
    /// The `substitutionVariables` that differ.
    public internal(set) var variables: [VariableChange] = []
    /// The keys of `defaults` that differ, in the file and in its entries.
    public internal(set) var defaults: [DefaultChange] = []
    /// All other differences: keys that Apple's systems ignore at this place, and values of the wrong type.
    public internal(set) var other: [OtherChange] = []
    /// The URLs whose outcome differs.
    public internal(set) var outcomes: [OutcomeChange] = []
    /// The numbers of evaluated URLs.
    public internal(set) var urls = URLCount()
    /// The systems for which the URLs were evaluated. Rules are compared by their meaning on the newest of them.
    public internal(set) var systems: [SystemVersion] = []
    /// Whether a limit was reached: rules were compared less precisely, lists were cut, or some URLs were not
    /// evaluated. The reported differences are still correct.
    public internal(set) var isTruncated = false

    /// Whether the files have the same content, and no evaluated URL has a different outcome.
    public var isEmpty: Bool {
        rules.isEmpty && entries.isEmpty && apps.isEmpty && services.isEmpty && variables.isEmpty && defaults.isEmpty
            && other.isEmpty && outcomes.isEmpty
    }

    /// Whether the files have the same meaning. They may differ in form, in comments and in keys without a known
    /// effect. No evaluated URL has a different outcome.
    public var isWithoutEffect: Bool {
        rules.allSatisfy { $0.kind == .sameMeaning } && entries.isEmpty && apps.isEmpty && services.isEmpty
            && variables.isEmpty && outcomes.isEmpty
    }

    /// The default limit for the work of evaluating URLs. Evaluating 500 URLs in two files of 128 KiB takes about 0.1
    /// s. For malicious files, evaluation stops after about 0.5 s, and some URLs are not evaluated.
    public static let usualSteps = 400_000_000

    /// The maximum number of given URLs that are evaluated.
    public static let maximumGiven = 10_000
}

extension Difference {
    /// A rule that differs.
    public struct RuleChange: Hashable, Sendable {
        /// The kind of change.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// Only the new file has the rule.
            case added
            /// Only the old file has the rule.
            case removed
            /// The rule has the same meaning, but a different place among the rules of its entry.
            case moved
            /// The rule's meaning has changed.
            case changed
            /// The rule's text differs, but its meaning is the same, for example because of `defaults`, normalisation
            /// or explicit default values.
            case sameMeaning = "same_meaning"
        }

        /// The kind of change.
        public let kind: Kind
        /// Its place in the old file, or `nil` if it was added.
        public let from: JSONPointer?
        /// Its place in the new file, or `nil` if it was removed.
        public let to: JSONPointer?
        /// The apps of the rule's entry in both files, at most 50.
        public let apps: [String]
        /// The rule's JSON in the old file, or `nil` if the rule was added. Also `nil` for an entry without rules,
        /// which counts as one rule that matches every URL.
        public let before: JSONValue?
        /// The rule's JSON in the new file, or `nil` if the rule was removed. Also `nil` for an entry without rules.
        public let after: JSONValue?
        /// The parts that differ. Empty for added, removed and moved rules.
        public let parts: [PartChange]
    }

    /// A part of a rule, before and after.
    public struct PartChange: Hashable, Sendable {
        /// The parts, by their names in a draft.
        public enum Part: String, Hashable, Sendable, CaseIterable {
            case path, query, fragment, exclude, caseSensitive, percentEncoded, comment
            /// Unknown keys.
            case extras
            /// The form: a component in one file, an element of `paths` in the other.
            case form
        }

        /// The part.
        public let part: Part
        /// The value in the old file, or `nil` if it has none. If the rule's meaning has changed, this is the effective
        /// value, with `defaults` applied. Otherwise it is the value as written.
        public let before: JSONValue?
        /// The value in the new file, in the same form.
        public let after: JSONValue?
    }

    /// An element of `applinks.details` that differs.
    public struct EntryChange: Hashable, Sendable {
        /// The kind of change.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case added, removed, moved
            /// The entry's apps have changed.
            case changed
        }

        /// The kind of change. An entry that was both changed and moved is `changed`.
        public let kind: Kind
        /// Its place in the old file, or `nil` if it was added.
        public let from: JSONPointer?
        /// Its place in the new file, or `nil` if it was removed.
        public let to: JSONPointer?
        /// The entry's apps in the old file, in order.
        public let before: [String]
        /// The entry's apps in the new file, in order.
        public let after: [String]
    }

    /// The changes in a list of apps, by their IDs.
    public struct AppsChange: Hashable, Sendable {
        /// The apps that only the new file has, in its order.
        public internal(set) var added: [String] = []
        /// The apps that only the old file has, in its order.
        public internal(set) var removed: [String] = []
        /// Whether the common apps have a different order. The order matters if several apps open the same URL.
        public internal(set) var isReordered = false

        /// Whether the apps are the same, in the same order.
        public var isEmpty: Bool { added.isEmpty && removed.isEmpty && !isReordered }
    }

    /// A service other than `applinks` whose apps differ.
    public struct ServiceChange: Hashable, Sendable {
        /// Its name, such as `webcredentials`.
        public let service: String
        /// The apps that only the new file has.
        public let added: [String]
        /// The apps that only the old file has.
        public let removed: [String]
    }

    /// A substitution variable that differs.
    public struct VariableChange: Hashable, Sendable {
        /// Its name, without `$(` and `)`.
        public let name: String
        /// The variable's value in the old file, or `nil` if it was added.
        public let before: JSONValue?
        /// The variable's value in the new file, or `nil` if it was removed.
        public let after: JSONValue?
    }

    /// A key of `defaults` that differs.
    public struct DefaultChange: Hashable, Sendable {
        /// The place of the `defaults` in the old file, or `nil` if their entry was added.
        public let from: JSONPointer?
        /// The place of the `defaults` in the new file, or `nil` if their entry was removed.
        public let to: JSONPointer?
        /// The key.
        public let key: String
        /// The key's value in the old file, or `nil` if it has none.
        public let before: JSONValue?
        /// The key's value in the new file, or `nil` if it has none.
        public let after: JSONValue?
    }

    /// The place of any other difference.
    public struct OtherChange: Hashable, Sendable {
        /// Its place in the old file, or `nil` if it was added.
        public let from: JSONPointer?
        /// Its place in the new file, or `nil` if it was removed.
        public let to: JSONPointer?
    }

    /// A URL whose outcome differs, or that a different app opens. The change can affect the file as a whole or one
    /// app.
    public struct OutcomeChange: Hashable, Sendable {
        /// The verdict of a file on the URL.
        public struct Verdict: Hashable, Sendable {
            /// Whether the URL is opened, excluded, or matched by no rule.
            public let outcome: Evaluation.Outcome
            /// The app that opens the URL. In the verdict for one app: that app, or `nil` if the file does not contain
            /// it.
            public let app: String?
            /// The rule that decides, or `nil` if no rule matches.
            public let decidedBy: JSONPointer?
        }

        /// The verdicts on the URL for one app.
        public struct AppChange: Hashable, Sendable {
            /// The app ID.
            public let app: String
            /// The verdict with the old file.
            public let before: Verdict
            /// The verdict with the new file.
            public let after: Verdict
        }

        /// The URL. A generated URL starts with a slash and is on the file's own host.
        public let url: String
        /// Whether the caller gave the URL. Otherwise it was generated from the patterns.
        public let isGiven: Bool
        /// The system for which the URL was evaluated.
        public let system: SystemVersion
        /// The verdict with the old file.
        public let before: Verdict
        /// The verdict with the new file.
        public let after: Verdict
        /// The apps whose verdicts differ: those of the new file in its order, then the others.
        public let apps: [AppChange]
    }

    /// The numbers of evaluated URLs.
    public struct URLCount: Hashable, Sendable {
        /// The number of all evaluated URLs.
        public internal(set) var tried = 0
        /// The number of given URLs among them.
        public internal(set) var given = 0
        /// The number of URLs whose outcome differs on any of the systems.
        public internal(set) var changed = 0
    }
}
