internal import CLibCrypto

/// Reads a message in BER (ITU-T X.690). DER is the strict form of BER. libcrypto reads each header and checks it
/// against the remaining bytes.
///
/// The reader never goes back and does not use recursion, so it takes at most one step per byte.
struct BERReader {
    /// The error message for an invalid message, as a clause.
    struct Fault: Error {
        let reason: String

        static let damaged = Fault(reason: "it is damaged or cut short")
    }

    struct Header {
        let kind: Kind
        let isConstructed: Bool
        /// The length, or `nil` for the indefinite form, which ends with an end-of-contents element.
        let length: Int?
    }

    /// A class and a tag.
    struct Kind: Equatable {
        let tag: Int32
        let isContextSpecific: Bool

        static let endOfContents = Kind(tag: 0, isContextSpecific: false)
        static let integer = Kind(tag: V_ASN1_INTEGER, isContextSpecific: false)
        static let octetString = Kind(tag: V_ASN1_OCTET_STRING, isContextSpecific: false)
        static let objectIdentifier = Kind(tag: V_ASN1_OBJECT, isContextSpecific: false)
        static let sequence = Kind(tag: V_ASN1_SEQUENCE, isContextSpecific: false)
        static let set = Kind(tag: V_ASN1_SET, isContextSpecific: false)
        static let explicit0 = Kind(tag: 0, isContextSpecific: true)
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The end of the innermost open element with a definite length.
    private var end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
    }

    /// Whether the innermost open element has no more content.
    var isAtEnd: Bool {
        position >= end || (bytes[position] == 0 && position + 1 < end && bytes[position + 1] == 0)
    }

    /// Enters an element of this kind.
    mutating func enter(_ kind: Kind) throws(Fault) {
        let header = try header()
        guard header.kind == kind, header.isConstructed else { throw .damaged }
        if let length = header.length { end = position + length }
    }

    /// The content of a primitive element of this kind.
    mutating func content(_ kind: Kind) throws(Fault) -> ArraySlice<UInt8> {
        let header = try header()
        guard header.kind == kind, !header.isConstructed, let length = header.length else { throw .damaged }
        return take(length)
    }

    /// The content of an octet string, in one piece or in several pieces that are not divided further.
    mutating func octets() throws(Fault) -> [UInt8] {
        let header = try header()
        guard header.kind == .octetString else { throw .damaged }
        guard header.isConstructed else { return Array(take(header.length ?? 0)) }
        if let length = header.length { end = position + length }
        var octets: [UInt8] = []
        while true {
            if position >= end {
                guard header.length != nil else { throw .damaged }
                return octets
            }
            let piece = try self.header()
            if header.length == nil, piece.kind == .endOfContents { return octets }
            guard piece.kind == .octetString, !piece.isConstructed, let length = piece.length else { throw .damaged }
            octets += take(length)
        }
    }

    /// Skips an element of this kind and its content.
    mutating func skip(_ kind: Kind) throws(Fault) {
        var header = try header()
        guard header.kind == kind else { throw .damaged }
        // Only an element in the indefinite form must be read to find its end.
        var open = 0
        while true {
            if let length = header.length { _ = take(length) } else { open += 1 }
            if open > 0, header.kind == .endOfContents { open -= 1 }
            if open == 0 { return }
            header = try self.header()
        }
    }

    private mutating func header() throws(Fault) -> Header {
        guard position < end else { throw .damaged }
        var (length, tag, tagClass) = (0, Int32(0), Int32(0))
        let (result, size) = bytes.withUnsafeBufferPointer { buffer -> (Int32, Int) in
            guard let start = buffer.baseAddress.map({ $0 + position }) else { return (0x80, 0) }
            var place: UnsafePointer<UInt8>? = start
            let result = ASN1_get_object(&place, &length, &tag, &tagClass, end - position)
            return (result, place.map { $0 - start } ?? 0)
        }
        guard result & 0x80 == 0, length >= 0, size > 0, length <= end - position - size else {
            ERR_clear_error()
            throw .damaged
        }
        position += size
        let isContextSpecific = tagClass == V_ASN1_CONTEXT_SPECIFIC
        guard isContextSpecific || tagClass == V_ASN1_UNIVERSAL else { throw .damaged }
        return Header(
            kind: Kind(tag: tag, isContextSpecific: isContextSpecific), isConstructed: result & 0x20 != 0,
            length: result & 1 == 0 ? length : nil)
    }

    private mutating func take(_ length: Int) -> ArraySlice<UInt8> {
        defer { position += length }
        return bytes[position..<position + length]
    }
}
