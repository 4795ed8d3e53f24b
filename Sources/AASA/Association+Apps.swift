extension Association {
    /// The app IDs that universal links are given to, in file order, each once: what an evaluation speaks of.
    public var appIDs: [String] { CompiledAssociation(self).appIDs }
}
