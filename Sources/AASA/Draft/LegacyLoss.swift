/// A rule of a draft that `paths` cannot express completely. iOS 9 to 12 read only `paths`. They never open more URLs
/// than the draft does.
public struct LegacyLoss: Hashable, Sendable {
    /// The effect on the rule on iOS 9 to 12.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A rule that opens URLs is left out.
        case leftOut = "left_out"
        /// A rule that opens URLs opens fewer of them.
        case narrowed
        /// A rule that excludes URLs excludes more of them.
        case broadened
    }

    /// The ID of the entry.
    public let entry: String
    /// The ID of the rule.
    public let rule: String
    /// The effect on the rule.
    public let kind: Kind
    /// The reason, as a sentence for people.
    public let detail: String
}
