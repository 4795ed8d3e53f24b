internal import FoundationEssentials

/// Base64url without padding (RFC 7515, section 2), read strictly. Used for signed tokens and passkeys.
package enum Base64URL {
    /// Returns `nil` for padding, other characters, and unused bits that are not zero. So each value has one text.
    package static func decoded(_ given: some StringProtocol) -> [UInt8]? {
        let text = String(given)
        guard text.utf8.allSatisfy(isDigit), text.utf8.count % 4 != 1 else { return nil }
        let padded =
            text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded) else { return nil }
        return encoded(Array(data)) == text ? Array(data) : nil
    }

    /// The text of bytes.
    package static func encoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }
}
