/// Who fetches files, by the `User-Agent`.
public enum FetchClient: String, Sendable, Hashable, CaseIterable {
    /// Apple's CDN, from which devices have asked since iOS 14: `AASA-Bot/1.0.0`.
    case appleCDN
    /// A device itself: its daemon for associated domains, `swcd`.
    case device
    /// Anybody else.
    case other

    /// By the field's value, which anybody can make up: good for counting only.
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
