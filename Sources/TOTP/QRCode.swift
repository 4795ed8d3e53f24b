import CLibQREncode

/// A QR code, as a path of an SVG.
public struct QRCode: Hashable, Sendable {
    /// The number of light modules around the code (ISO/IEC 18004, section 9.1).
    static let margin = 4

    /// The width and height in modules, with the margin.
    public let size: Int
    /// The dark modules as path data (SVG 2, section 9.3). A module is 1 wide and high.
    public let path: String

    /// Encodes a text. Returns `nil` if it is empty or too long (about 2,300 bytes).
    public init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        size = width + 2 * Self.margin
        // The lowest bit of a module says whether it is dark.
        path = modules.indices.filter { modules[$0] & 1 == 1 }.map { index in
            "M\(index % width + Self.margin) \(index / width + Self.margin)h1v1h-1z"
        }.joined()
    }
}
