public import StrictJSON

/// Why a draft cannot be changed as asked.
public enum DraftError: JSONFaultReason, Hashable, Sendable {
    /// No entry has this ID.
    case entryNotFound(String)
    /// No rule has this ID.
    case ruleNotFound(String)
    /// The ID is used in this draft already.
    case duplicateID(String)
    /// The draft has no entry, or several and none was named.
    case entryRequired(entries: Int)
    /// The list has no such place; the last one that it has.
    case positionOutOfRange(last: Int)
    /// The draft has as many rules as it may.
    case tooManyRules
    /// The draft has as many entries as it may.
    case tooManyEntries
    /// The app has an entry that is not for the same apps.
    case appInOtherEntry(app: String, entry: String)
    /// The rule has no pattern, and does not say that it is meant to have none.
    case unrestricted
    /// The rule says that it is meant to have no pattern, and has one.
    case restricted

    /// What is wrong; stable, for programs.
    public var code: String {
        switch self {
        case .entryNotFound: "entry_not_found"
        case .ruleNotFound: "rule_not_found"
        case .duplicateID: "duplicate_id"
        case .entryRequired: "required"
        case .positionOutOfRange: "out_of_range"
        case .tooManyRules, .tooManyEntries: "too_many"
        case .appInOtherEntry: "in_other_entry"
        case .unrestricted: "unrestricted"
        case .restricted: "restricted"
        }
    }

    /// What is wrong, in words.
    public var detail: String {
        switch self {
        case .entryNotFound(let id): "there is no entry \"\(id)\" in this draft"
        case .ruleNotFound(let id): "there is no rule \"\(id)\" in this draft"
        case .duplicateID(let id): "\"\(id)\" is used in this draft already"
        case .entryRequired(0):
            "the draft has no entry yet: send \"apps\", the app IDs that the rule is for, such as "
                + "[\"ABCDE12345.com.example.app\"]; an entry is then added for them"
        case .entryRequired(let count): "the draft has \(count) entries: \"entry\" must name one"
        case .positionOutOfRange(let last): "must be between 0 and \(last)"
        case .tooManyRules: "the draft has \(Draft.Limits.rules) rules, which is the limit"
        case .tooManyEntries: "the draft has \(Draft.Limits.entries) entries, which is the limit"
        case .appInOtherEntry(let app, let entry):
            "\"\(app)\" is in the entry \"\(entry)\", which is not for the same apps; to add the rule to that entry, send "
                + "\"entry\" in place of \"apps\""
        case .unrestricted:
            "without \"path\", \"query\" and \"fragment\" the rule would match every URL; if that is what you want, send "
                + "\"path\": \"*\""
        case .restricted:
            "the rule has a path, a query or a fragment, so it cannot be unrestricted; send one or the other"
        }
    }
}
