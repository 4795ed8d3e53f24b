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

    /// What is wrong; stable, for programs.
    public var code: String {
        switch self {
        case .entryNotFound: "entry_not_found"
        case .ruleNotFound: "rule_not_found"
        case .duplicateID: "duplicate_id"
        case .entryRequired: "required"
        case .positionOutOfRange: "out_of_range"
        case .tooManyRules: "too_many"
        }
    }

    /// What is wrong, in words.
    public var detail: String {
        switch self {
        case .entryNotFound(let id): "there is no entry \"\(id)\" in this draft"
        case .ruleNotFound(let id): "there is no rule \"\(id)\" in this draft"
        case .duplicateID(let id): "\"\(id)\" is used in this draft already"
        case .entryRequired(0): "the draft has no entry to put a rule into"
        case .entryRequired(let count): "the draft has \(count) entries: \"entry\" must name one"
        case .positionOutOfRange(let last): "must be between 0 and \(last)"
        case .tooManyRules: "the draft has \(Draft.Limits.rules) rules, which is the limit"
        }
    }
}
