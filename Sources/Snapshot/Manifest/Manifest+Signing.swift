import Hex

/// # The text
///
/// The text is ASCII. Every line ends with one line feed. Fields are separated by one space, and numbers are decimal
/// without leading zeros. Each manifest has exactly one possible text, so the signature covers its whole meaning:
///
/// ```text
/// waymark-manifest 1
/// activation 1204
/// hosts 2
/// emptied no
/// shop.example 1180 7 9f86d081884c7d65…a08 2048
/// www.example 1204 12 2c26b46b68ffc68f…ae1 811
/// signature 6b1f0e3a5c7d9e10 8f…0c
/// ```
///
/// A host's line contains the host, its activation, its version, the file's SHA-256 and its size. The last line
/// contains the key's ID and the Ed25519 signature (RFC 8032) of **every byte before that line**, in hexadecimal. The
/// first line names the format, so that a signature of any other text by the same key is not valid for a manifest.
extension Manifest {
    static let firstLine = "waymark-manifest 1\n"
    static let signatureWord = "signature "
    /// "signature ", 16 digits of the key's ID, a space, 128 digits of signature, a line feed.
    static let signatureLineLength = 10 + 16 + 1 + 128 + 1

    /// Returns the manifest's text with a signature line, signed with `key`.
    public func signed(by key: SigningKey) throws(ManifestError) -> [UInt8] { try signing(by: key).bytes }

    /// Returns the manifest with a signature line, signed with `key`.
    package func signing(by key: SigningKey) throws(ManifestError) -> Manifest {
        guard text.count + Self.signatureLineLength <= Self.largest else { throw .tooLarge }
        let signature: [UInt8]
        do throws(KeyError) {
            signature = try key.signature(for: text)
        } catch {
            throw .notSigned
        }
        var line = Array("\(Self.signatureWord)\(key.verificationKey.id) ".utf8)
        line.append(contentsOf: Hexadecimal.digits(of: signature))
        line.append(UInt8(ascii: "\n"))
        return with(signature: line)
    }

    /// The lines before the lines of the hosts.
    static func head(activation: Int64, count: Int, isEmptied: Bool) -> [UInt8] {
        Array("\(firstLine)activation \(activation)\nhosts \(count)\nemptied \(isEmptied ? "yes" : "no")\n".utf8)
    }
}

extension ManifestEntry {
    /// Appends the entry's line.
    package func write(to text: inout [UInt8]) {
        text.append(contentsOf: host.utf8)
        text.append(contentsOf: " \(activation) \(version) ".utf8)
        text.append(contentsOf: Hexadecimal.digits(of: sha256.bytes))
        text.append(contentsOf: " \(size)\n".utf8)
    }
}
