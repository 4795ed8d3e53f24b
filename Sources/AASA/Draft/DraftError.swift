public import StrictJSON

/// The reason why a draft cannot be changed.
public enum DraftError: JSONFaultReason, Hashable, Sendable {
    /// No entry has this ID.
    case entryNotFound(String)
    /// No rule has this ID.
    case ruleNotFound(String)
    /// The ID is already used in this draft.
    case duplicateID(String)
    /// The draft has no entry, or it has several entries and the request does not name one.
    case entryRequired(entries: Int)
    /// The list has no such position. `last` is its last position.
    case positionOutOfRange(last: Int)
    /// The draft has the maximum number of rules.
    case tooManyRules
    /// The draft has the maximum number of entries.
    case tooManyEntries
    /// The app is in an entry with other apps, or in an entry without some of the requested apps.
    case appInOtherEntry(app: String, entry: String)
    /// The rule has no pattern, and the request does not confirm that.
    case unrestricted
    /// The rule has a pattern, but the request says that it has none.
    case restricted

    /// A stable error code for programs.
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

    /// The problem and the remedy, as a clause for people.
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
