public import StrictJSON

/// What became of a file's parts on their way into a draft, where it is not simply the same.
public struct ImportReport: Hashable, Sendable {
    /// What became of a part.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// It is in the draft, though not where one might look, or not in the published file.
        case kept
        /// It is in the draft in another form with the same meaning.
        case changed
        /// It is not in the draft; it had no effect, or cannot be expressed.
        case dropped
    }

    /// One part.
    public struct Item: Hashable, Sendable {
        /// Where it stands in the imported file.
        public let pointer: JSONPointer
        /// What became of it.
        public let action: Action
        /// How and why, in words.
        public let detail: String
    }

    /// The parts, in the order of the file.
    public let items: [Item]
}
