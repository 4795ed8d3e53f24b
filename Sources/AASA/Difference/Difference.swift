public import StrictJSON

/// What is different between two files, before and after: in what they say, and in what becomes of URLs.
///
/// Made by ``Association/difference(to:urls:samples:systems:steps:)``.
public struct Difference: Sendable {
    /// Rules that are not the same in both, in the order of the file after; those that are gone stand where they were.
    public internal(set) var rules: [RuleChange] = []
    /// Entries that are not the same in both, apart from their rules.
    public internal(set) var entries: [EntryChange] = []
    /// The apps that universal links are given to.
    public internal(set) var apps = AppsChange()
    /// The other services whose apps are not the same.
    public internal(set) var services: [ServiceChange] = []
    /// The `substitutionVariables` that are not the same.
    public internal(set) var variables: [VariableChange] = []
    /// The keys of `defaults`, the file's and the entries', that are not the same.
    public internal(set) var defaults: [DefaultChange] = []
    /// All else that is not the same: keys that Apple's systems do not know or do not read here, and values of a
    /// wrong type.
    public internal(set) var other: [OtherChange] = []
    /// The URLs of which something else becomes.
    public internal(set) var outcomes: [OutcomeChange] = []
    /// How many URLs were looked at.
    public internal(set) var urls = URLCount()
    /// The systems that the outcomes are those of; the newest of them reads the rules.
    public internal(set) var systems: [SystemVersion] = []
    /// Whether a written limit was reached: rules were compared more coarsely, lists were cut, or not all URLs were
    /// tried. What is said is true all the same.
    public internal(set) var isTruncated = false

    /// Whether the files say the same, and the same becomes of all URLs that were looked at.
    public var isEmpty: Bool {
        rules.isEmpty && entries.isEmpty && apps.isEmpty && services.isEmpty && variables.isEmpty && defaults.isEmpty
            && other.isEmpty && outcomes.isEmpty
    }

    /// Whether the files mean the same: whatever differs is spelling, comments, or keys without an effect that is
    /// known, and the same becomes of all URLs that were looked at.
    public var isWithoutEffect: Bool {
        rules.allSatisfy { $0.kind == .sameMeaning } && entries.isEmpty && apps.isEmpty && services.isEmpty
            && variables.isEmpty && outcomes.isEmpty
    }

    /// The comparing that is done unless asked for otherwise: 500 URLs against two files of 128 KiB take a tenth of a
    /// second; files made to be slow take half a second and leave URLs untried.
    public static let usualSteps = 400_000_000

    /// URLs given that are tried at most.
    public static let maximumGiven = 10_000
}

extension Difference {
    /// A rule that is not the same in both files.
    public struct RuleChange: Hashable, Sendable {
        /// What happened to it.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// Only the file after has it.
            case added
            /// Only the file before has it.
            case removed
            /// Its meaning is the same, its place among the rules of its entry is not.
            case moved
            /// It means something else.
            case changed
            /// It is written differently and means the same: by `defaults`, normalisation, explicit default values.
            case sameMeaning = "same_meaning"
        }

        /// What happened to it.
        public let kind: Kind
        /// Its place in the file before; nil if it was not there.
        public let from: JSONPointer?
        /// Its place in the file after; nil if it is not there.
        public let to: JSONPointer?
        /// The apps of its entry, before and after, at most 50.
        public let apps: [String]
        /// Its text in the file before. An entry without rules stands for a rule without text that matches every URL.
        public let before: JSONValue?
        /// Its text in the file after.
        public let after: JSONValue?
        /// What is different in it; empty for rules added, removed or only moved.
        public let parts: [PartChange]
    }

    /// A part of a rule, before and after.
    public struct PartChange: Hashable, Sendable {
        /// The parts, by the names that they have in a draft.
        public enum Part: String, Hashable, Sendable, CaseIterable {
            case path, query, fragment, exclude, caseSensitive, percentEncoded, comment
            /// Keys that are not known.
            case extras
            /// A component in one file, an element of `paths` in the other.
            case form
        }

        /// Which part.
        public let part: Part
        /// In a rule that means something else, the value that counts, with `defaults` merged in; otherwise as written.
        /// Nil for none.
        public let before: JSONValue?
        /// The same of the file after.
        public let after: JSONValue?
    }

    /// An element of `applinks.details` that is not the same in both files.
    public struct EntryChange: Hashable, Sendable {
        /// What happened to it.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case added, removed, moved
            /// Its apps are others.
            case changed
        }

        /// What happened to it; `changed` counts more than `moved`.
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

    /// Apps, by their IDs.
    public struct AppsChange: Hashable, Sendable {
        /// In the file after only, in its order.
        public internal(set) var added: [String] = []
        /// In the file before only, in its order.
        public internal(set) var removed: [String] = []
        /// Whether those in both files come in another order, which decides between apps that open the same URL.
        public internal(set) var isReordered = false

        /// Whether the apps are the same, in the same order.
        public var isEmpty: Bool { added.isEmpty && removed.isEmpty && !isReordered }
    }

    /// A service other than `applinks` whose apps are not the same.
    public struct ServiceChange: Hashable, Sendable {
        /// Its name, such as `webcredentials`.
        public let service: String
        /// Apps in the file after only.
        public let added: [String]
        /// Apps in the file before only.
        public let removed: [String]
    }

    /// A substitution variable that is not the same.
    public struct VariableChange: Hashable, Sendable {
        /// Its name, without `$(` and `)`.
        public let name: String
        /// Its values as the file before gives them; nil if it does not.
        public let before: JSONValue?
        /// Its values as the file after gives them; nil if it does not.
        public let after: JSONValue?
    }

    /// A key of `defaults` that is not the same.
    public struct DefaultChange: Hashable, Sendable {
        /// The place of the `defaults` in the file before; nil if their entry was not there.
        public let from: JSONPointer?
        /// The place of the `defaults` in the file after; nil if their entry is not there.
        public let to: JSONPointer?
        /// The key.
        public let key: String
        /// Its value in the file before.
        public let before: JSONValue?
        /// Its value in the file after.
        public let after: JSONValue?
    }

    /// The place of something else that is not the same.
    public struct OtherChange: Hashable, Sendable {
        /// Its place in the file before; nil if it was not there.
        public let from: JSONPointer?
        /// Its place in the file after; nil if it is not there.
        public let to: JSONPointer?
    }

    /// A URL of which something else becomes: another outcome or another app, for the file as a whole or for one app.
    public struct OutcomeChange: Hashable, Sendable {
        /// What becomes of the URL.
        public struct Verdict: Hashable, Sendable {
            /// Opened, excluded or neither.
            public let outcome: Evaluation.Outcome
            /// The app that opens it; for an app's own verdict that app, or nil if its file does not name it.
            public let app: String?
            /// The rule that decided.
            public let decidedBy: JSONPointer?
        }

        /// What becomes of the URL as far as one app goes.
        public struct AppChange: Hashable, Sendable {
            /// The app ID.
            public let app: String
            /// In the file before.
            public let before: Verdict
            /// In the file after.
            public let after: Verdict
        }

        /// The URL; those that were made begin with a slash and stand for a place on the file's own host.
        public let url: String
        /// Whether the URL was given and not made from the patterns.
        public let isGiven: Bool
        /// The system that reads the files.
        public let system: SystemVersion
        /// What becomes of it by the file before.
        public let before: Verdict
        /// What becomes of it by the file after.
        public let after: Verdict
        /// The apps whose verdicts are not the same, in the order of the file after, then of the file before.
        public let apps: [AppChange]
    }

    /// How many URLs were looked at.
    public struct URLCount: Hashable, Sendable {
        /// All that were tried.
        public internal(set) var tried = 0
        /// Those of them that were given.
        public internal(set) var given = 0
        /// Those of which something else becomes, for any of the systems.
        public internal(set) var changed = 0
    }
}
