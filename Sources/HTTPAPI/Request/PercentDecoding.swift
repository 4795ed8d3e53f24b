import Foundation

extension String {
    /// The text with each `%XX` decoded (RFC 3986, section 2.1), or the same text if the result is not valid UTF-8.
    ///
    /// This is a separate file, because Foundation's `Host` would conflict with AASA's.
    var percentDecoded: String { removingPercentEncoding ?? self }
}
