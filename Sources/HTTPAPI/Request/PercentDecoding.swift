import Foundation

extension String {
    /// The text with `%XX` taken for the bytes that they stand for (RFC 3986, section 2.1); itself where that is not
    /// UTF-8. In a file of its own because Foundation has a `Host` too.
    var percentDecoded: String { removingPercentEncoding ?? self }
}
