/// A CMS message of type signed-data (RFC 5652, section 5.1) with its content inside, as iOS 8 took it.
///
/// Only the content is read. Neither the signature nor a certificate is looked at, so nothing says who wrote it.
struct SignedMessage {
    /// The most bytes that are looked at: those of the largest file that is read at all.
    static let maximumSize = 1 << 20

    /// What is signed.
    let payload: [UInt8]

    init(_ bytes: [UInt8]) throws(BERReader.Fault) {
        guard bytes.count <= Self.maximumSize else {
            throw BERReader.Fault(reason: "it has \(bytes.count) bytes, and at most \(Self.maximumSize) are read")
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
            throw BERReader.Fault(reason: "it holds a message of another kind, and no plain data")
        }
        if reader.isAtEnd { throw BERReader.Fault(reason: "it holds a signature alone, without what is signed") }
        try reader.enter(.explicit0)
        payload = try reader.octets()
    }

    /// id-signedData, 1.2.840.113549.1.7.2.
    private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    /// id-data, 1.2.840.113549.1.7.1.
    private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
}
