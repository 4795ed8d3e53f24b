import Foundation

extension String {
    /// The text with each `%XX` decoded to its byte (RFC 3986, section 2.1); unchanged if the result is not UTF-8.
    ///
    /// A separate file, because Foundation's `Host` would clash with AASA's.
    var percentDecoded: String { removingPercentEncoding ?? self }
}
