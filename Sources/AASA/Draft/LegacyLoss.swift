/// Something that a draft says and that `paths`, all that iOS 9 to 12 read, cannot. What they open is never more than
/// the draft opens.
public struct LegacyLoss: Hashable, Sendable {
    /// What becomes of the rule on iOS 9 to 12.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A rule that opens URLs is not there.
        case leftOut = "left_out"
        /// A rule that opens URLs opens fewer.
        case narrowed
        /// A rule that excludes URLs excludes more.
        case broadened
    }

    /// The ID of the entry.
    public let entry: String
    /// The ID of the rule.
    public let rule: String
    /// What becomes of it.
    public let kind: Kind
    /// Why, in a sentence for people.
    public let detail: String
}
