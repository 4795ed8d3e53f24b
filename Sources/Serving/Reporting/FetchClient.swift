/// The kind of client that fetches files, by its `User-Agent`.
public enum FetchClient: String, Sendable, Hashable, CaseIterable {
    /// Apple's CDN, which fetches for devices since iOS 14: `AASA-Bot/1.0.0`.
    case appleCDN
    /// A device itself, by its daemon for associated domains, `swcd`.
    case device
    /// Any other client.
    case other

    /// Derives the kind from the field's value. Anyone can forge it, so it is only good for counting.
    init(userAgent: String) {
        let text = userAgent.utf8
        if text.starts(with: "AASA-Bot".utf8) {
            self = .appleCDN
        } else if text.starts(with: "swcd".utf8) {
            self = .device
        } else {
            self = .other
        }
    }
}
