/// The difference between a consumer's manifest and a newer one. It is the newer text without the hosts' lines that
/// both have, and with a line for each removed host.
///
/// ```text
/// waymark-delta 1
/// activation 1205
/// hosts 2
/// emptied no
/// - gone.example
/// shop.example 1205 8 2c26b46b68ffc68f…ae1 811
/// signature 6b1f0e3a5c7d9e10 8f…0c
/// ```
///
/// The lines at the beginning and the signature line are those of the newer manifest. So a consumer does not need to
/// trust a delta. Applied to the right manifest, it gives the signed bytes of the newer one. Applied to any other
/// manifest, it gives bytes with an invalid signature.
public struct ManifestDelta: Sendable {
    private static let firstLine = "waymark-delta 1\n"

    private let bytes: [UInt8]
    private let head: Range<Int>
    private let changes: ManifestChanges
    private let signatureLine: Range<Int>

    /// Reads a delta.
    ///
    /// - Throws: An error if its format is invalid. The signature is not checked here.
    public init(reading bytes: [UInt8]) throws(ManifestError) {
        guard bytes.count <= Manifest.largest else { throw .tooLarge }
        let end = bytes.count - Manifest.signatureLineLength
        guard end > 0, bytes[end...].starts(with: Manifest.signatureWord.utf8) else { throw .noSignature }
        var reader = ManifestReader(bytes, range: 0..<end)
        guard reader.skip(Self.firstLine) else { throw .unknownFormat }
        let start = reader.position
        _ = try reader.line("activation ")
        _ = try reader.line("hosts ")
        _ = try reader.emptied()
        head = start..<reader.position
        changes = try ManifestChanges(&reader, of: bytes)
        signatureLine = end..<bytes.count
        self.bytes = bytes
    }

    /// Applies the delta. Returns the signed bytes of the newer manifest, **not yet verified**.
    ///
    /// - Parameter base: The consumer's manifest.
    public func applied(to base: Manifest) throws(ManifestError) -> [UInt8] {
        let maximum = Manifest.firstLine.utf8.count + bytes.count + base.hostLines.count
        guard maximum <= 2 * Manifest.largest else { throw .tooLarge }
        var signed = Array(Manifest.firstLine.utf8)
        signed.reserveCapacity(maximum)
        signed.append(contentsOf: bytes[head])
        changes.appendHostLines(of: base, to: &signed)
        signed.append(contentsOf: bytes[signatureLine])
        return signed
    }

    /// Creates the text of a delta.
    ///
    /// - Parameters:
    ///   - manifest: The newer manifest, signed.
    ///   - changes: All hosts that differ, without duplicates, in any order. Removals of hosts that are not in the
    ///     older manifest are allowed.
    public static func bytes(to manifest: Manifest, changes: [ManifestChange]) throws(ManifestError) -> [UInt8] {
        var text = Array(firstLine.utf8)
        text.append(contentsOf: manifest.bytes[Manifest.firstLine.utf8.count..<manifest.hostLines.lowerBound])
        text.append(contentsOf: try ManifestChanges(changes).text)
        text.append(contentsOf: manifest.bytes[manifest.hostLines.upperBound...])
        return text
    }
}
