/// A CMS message of type signed-data (RFC 5652, section 5.1) that includes its content. iOS 8 required this form.
///
/// Only the content is read. The signature and the certificates are not checked, so the author is unknown.
struct SignedMessage {
    /// The maximum size in bytes, the same as for every other file.
    static let maximumSize = 1 << 20

    /// The signed content.
    let payload: [UInt8]

    init(_ bytes: [UInt8]) throws(BERReader.Fault) {
        guard bytes.count <= Self.maximumSize else {
            throw BERReader.Fault(reason: "it has \(bytes.count) bytes; at most \(Self.maximumSize) are read")
        }
        var reader = BERReader(bytes)
        try reader.enter(.sequence)
        guard try reader.content(.objectIdentifier) == Self.signedData[...] else { throw .damaged }
        try reader.enter(.explicit0)
        try reader.enter(.sequence)
        try reader.skip(.integer)
        try reader.skip(.set)
        try reader.enter(.sequence)
        guard try reader.content(.objectIdentifier) == Self.data[...] else {
            throw BERReader.Fault(reason: "it contains a message of another type instead of data")
        }
        if reader.isAtEnd { throw BERReader.Fault(reason: "it contains only a signature, without the signed data") }
        try reader.enter(.explicit0)
        payload = try reader.octets()
    }

    /// id-signedData, 1.2.840.113549.1.7.2.
    private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    /// id-data, 1.2.840.113549.1.7.1.
    private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
}
