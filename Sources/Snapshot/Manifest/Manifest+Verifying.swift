import Hex

extension Manifest {
    /// Verifies and reads a signed manifest. The signature is verified first, so unsigned bytes are never parsed.
    ///
    /// - Parameters:
    ///   - signed: The whole text, at most `largest` bytes.
    ///   - trusted: The trusted keys. One of them must have signed the manifest. During a key rotation there are
    ///     several.
    /// - Throws: An error if the signature is invalid, or if the text differs in any way from the output of
    ///   `signed(by:)`. Examples are a different order, a duplicate host, a size above the limit, upper case, leading
    ///   zeros, or extra bytes at the end.
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
