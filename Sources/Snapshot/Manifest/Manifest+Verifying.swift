import Hex

extension Manifest {
    /// Verifies and reads a signed manifest. It reads nothing from the bytes before the signature has been verified.
    ///
    /// - Parameters:
    ///   - signed: the whole text, at most `largest` bytes.
    ///   - trusted: the trusted keys, one of which must have signed. There are several while keys are exchanged.
    /// - Throws: an error if the text differs in any way from the output of `signed(by:)`: another order, a duplicate
    ///   host, a size above the limit, upper case, leading zeros, bytes at the end.
    public init(verifying signed: [UInt8], trusted: [VerificationKey]) throws(ManifestError) {
        guard signed.count <= Self.largest else { throw .tooLarge }
        guard signed.count > Self.signatureLineLength else { throw .noSignature }
        let end = signed.count - Self.signatureLineLength
        let (keyID, signature) = try Self.signatureLine(signed[end...])
        guard let key = trusted.first(where: { $0.id == keyID }) else { throw .untrustedKey(id: keyID) }
        guard key.isValid(signature: signature, for: signed[..<end]) else { throw .badSignature }
        try self.init(reading: signed, end: end)
    }

    private static func signatureLine(
        _ line: ArraySlice<UInt8>
    ) throws(ManifestError) -> (keyID: String, signature: [UInt8]) {
        guard line.starts(with: signatureWord.utf8), line.last == UInt8(ascii: "\n") else { throw .noSignature }
        let fields = line.dropFirst(signatureWord.utf8.count).dropLast()
        let id = fields.prefix(16)
        let rest = fields.dropFirst(16)
        guard Hexadecimal.decode(id) != nil, rest.first == UInt8(ascii: " "),
            let signature = Hexadecimal.decode(rest.dropFirst())
        else { throw .noSignature }
        return (String(decoding: id, as: UTF8.self), signature)
    }
}
