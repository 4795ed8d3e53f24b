/// The kind of client that fetches a file, by its `User-Agent`.
public enum FetchClient: String, Sendable, Hashable, CaseIterable {
    /// Apple's CDN, which fetches files for devices since iOS 14: `AASA-Bot/1.0.0`.
    case appleCDN
    /// A device. Its `swcd` daemon for associated domains fetches the file.
    case device
    /// Any other client.
    case other

    /// Determines the kind from the header's value. Anyone can forge it, so use it only for statistics.
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
