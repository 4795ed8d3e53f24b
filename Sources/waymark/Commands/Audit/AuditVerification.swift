import Hex
import Snapshot
import Storage
import StrictJSON

/// Checks the lines of an exported audit trail, one after another.
struct AuditVerification {
    /// The limits of a line.
    static let limits = JSONLimits(bytes: 4 << 20)

    /// The first problem.
    struct Fault: Error {
        /// The number of the line, from 1.
        let line: Int
        let problem: String
    }

    private let keys: [VerificationKey]
    private var expected: [Int64: String]
    private var line = 0
    private var organization = ""
    private var slug = ""
    private var chain: AuditChain?
    private var first: Int64 = 0
    private var checkpoints = 0
    private var sealed: (position: Int64, at: String)?

    /// - Parameters:
    ///   - keys: The trusted keys. Without them, signatures are not checked.
    ///   - expected: The expected digests, as hexadecimal digits, by their positions.
    init(keys: [VerificationKey], expected: [Int64: String]) {
        self.keys = keys
        self.expected = expected
    }

    /// Checks the next line.
    /// - Throws: ``Fault``.
    mutating func take(_ bytes: [UInt8]) throws {
        line += 1
        guard let value = try? JSONValue(parsing: bytes, limits: Self.limits) else {
            throw fault("This line is not JSON.")
        }
        if let trail = value["trail"] {
            try take(trail: trail)
        } else if let checkpoint = value["checkpoint"] {
            try take(checkpoint: checkpoint)
        } else {
            try take(entry: value, bytes)
        }
        if let chain, let digest = expected[chain.position] {
            guard Hexadecimal.encode(chain.digest) == digest else {
                throw fault("The digest at position \(chain.position) is not the expected one. The trail was replaced.")
            }
            expected[chain.position] = nil
        }
    }

    /// Checks what must be true after the last line.
    /// - Throws: ``Fault``.
    func end() throws {
        guard let chain else { throw fault("The file is empty.") }
        if let missing = expected.keys.min() {
            throw fault("The trail does not contain position \(missing), whose digest you expect.")
        }
        guard chain.position == sealed?.position ?? first else {
            throw fault(
                "The entries after position \(sealed?.position ?? first) have no checkpoint. The end is missing.")
        }
    }

    private mutating func take(trail: JSONValue) throws {
        guard let id = trail["organization"]?.string, let start = Self.chain(in: trail) else {
            throw fault("This line does not describe a trail.")
        }
        if let chain {
            guard id == organization else { throw fault("This part belongs to another organization.") }
            guard start == chain else {
                throw fault(
                    "This part starts after position \(start.position), but the part before it ends at \(chain.position), or with another digest."
                )
            }
            return
        }
        guard start.position > 0 || start == AuditChain(of: id) else { throw fault("The first digest is wrong.") }
        (organization, slug, chain, first) = (id, trail["slug"]?.string ?? "", start, start.position)
    }

    private mutating func take(entry: JSONValue, _ bytes: [UInt8]) throws {
        guard var chain else { throw fault("The first line must describe the trail.") }
        guard let position = entry["position"]?.number?.int, position == Int(chain.position) + 1 else {
            throw fault(
                "The entry with position \(chain.position + 1) must be here. An entry was removed, added or moved.")
        }
        chain.add(bytes)
        self.chain = chain
    }

    private mutating func take(checkpoint: JSONValue) throws {
        guard let chain, let stated = Self.chain(in: checkpoint), let madeAt = checkpoint["at"]?.string,
            let keyID = checkpoint["key"]?.string,
            let signature = (checkpoint["signature"]?.string).flatMap({ Hexadecimal.decode(Array($0.utf8)) })
        else { throw fault("This line is not a checkpoint.") }
        guard stated.position == chain.position else {
            throw fault(
                "The checkpoint is for position \(stated.position), but the entries before it end at \(chain.position)."
            )
        }
        guard stated.digest == chain.digest else {
            throw fault(
                "The entries from position \((sealed?.position ?? first) + 1) to \(chain.position) were changed after they were sealed at \(madeAt)."
            )
        }
        if !keys.isEmpty {
            guard let key = keys.first(where: { $0.id == keyID }) else {
                throw fault("The checkpoint is signed with the key \(keyID), but --key does not have this key.")
            }
            let message = AuditCheckpoint.message(about: chain, at: madeAt, in: organization)
            guard key.isValid(signature: signature, for: message[...]) else {
                throw fault("The signature of the checkpoint is wrong.")
            }
        }
        checkpoints += 1
        sealed = (chain.position, madeAt)
    }

    private static func chain(in value: JSONValue) -> AuditChain? {
        guard let position = value["position"]?.number?.int, position >= 0,
            let digest = (value["digest"]?.string).flatMap({ Hexadecimal.decode(Array($0.utf8)) }), digest.count == 32
        else { return nil }
        return AuditChain(position: Int64(position), digest: digest)
    }

    private func fault(_ problem: String) -> Fault { Fault(line: max(line, 1), problem: problem) }

    private var head: String { Hexadecimal.encode(chain?.digest ?? []) }

    /// The result for people.
    var text: String {
        let range =
            sealed.map { "The entries \(first + 1) to \($0.position) are intact; the last checkpoint is of \($0.at)." }
            ?? "The trail has no entries."
        let signatures =
            keys.isEmpty
            ? "No signature was checked. Entries after the expected ones are not proven: give --key."
            : "Signatures: \(checkpoints) of \(checkpoints) are valid."
        return """
            \(slug): \(range)
            \(signatures)
            Note this for later: --expect \(chain?.position ?? 0):\(head)
            """
    }

    /// The result for programs.
    var json: JSONValue {
        [
            "intact": .bool(true), "organization": .string(organization), "after": .int(Int(first)),
            "position": .int(Int(chain?.position ?? 0)), "digest": .string(head), "checkpoints": .int(checkpoints),
            "signaturesChecked": .bool(!keys.isEmpty),
        ]
    }
}
