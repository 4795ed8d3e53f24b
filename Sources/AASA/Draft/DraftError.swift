public import StrictJSON

/// Why a change of a draft is not possible.
public enum DraftError: JSONFaultReason, Hashable, Sendable {
    /// No entry has this ID.
    case entryNotFound(String)
    /// No rule has this ID.
    case ruleNotFound(String)
    /// The ID is already used in this draft.
    case duplicateID(String)
    /// The draft has no entry, or it has several and the request names none.
    case entryRequired(entries: Int)
    /// The list has no such position; the last position that it has.
    case positionOutOfRange(last: Int)
    /// The draft has the maximum number of rules.
    case tooManyRules
    /// The draft has the maximum number of entries.
    case tooManyEntries
    /// The app is in an entry that is for other apps as well, or not for all of them.
    case appInOtherEntry(app: String, entry: String)
    /// The rule has no pattern, and the request does not confirm that.
    case unrestricted
    /// The rule has a pattern, although the request says that it has none.
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

    /// What is wrong and what to do, as a clause for people.
    public var detail: String {
        switch self {
        case .entryNotFound(let id): "this draft has no entry \"\(id)\""
        case .ruleNotFound(let id): "this draft has no rule \"\(id)\""
        case .duplicateID(let id): "\"\(id)\" is already used in this draft"
        case .entryRequired(0):
            "the draft has no entry yet; send \"apps\" with the app IDs that the rule is for, such as "
                + "[\"ABCDE12345.com.example.app\"], to add one"
        case .entryRequired(let count): "the draft has \(count) entries; name one in \"entry\""
        case .positionOutOfRange(let last): "must be between 0 and \(last)"
        case .tooManyRules: "the draft has reached the limit of \(Draft.Limits.rules) rules"
        case .tooManyEntries: "the draft has reached the limit of \(Draft.Limits.entries) entries"
        case .appInOtherEntry(let app, let entry):
            "\"\(app)\" is in the entry \"\(entry)\", which is not for the same apps; to add the rule to that entry, "
                + "send \"entry\" instead of \"apps\""
        case .unrestricted:
            "without \"path\", \"query\" and \"fragment\" the rule would match every URL; if you want that, send "
                + "\"path\": \"*\""
        case .restricted:
            "the rule has a path, a query or a fragment, so it cannot be \"unrestricted\"; send one or the other"
        }
    }
}
