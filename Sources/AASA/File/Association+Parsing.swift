public import StrictJSON

extension Association {
    /// The limits for reading a file: 1 MiB, strings of 256 KiB, 100,000 values, and depth 64. The size is eight times
    /// Apple's limit, so that lint can check files that are too large for Apple. Checking a file within these limits
    /// uses at most 64 MiB of memory.
    public static let limits = JSONLimits(
        bytes: 1 << 20, depth: 64, numberLength: 512, stringLength: longestText, values: 100_000)
    /// The maximum size in bytes of a file that Waymark evaluates for a visitor: twice Apple's limit.
    public static let longestText = 1 << 18

    /// Reads a file: UTF-8 JSON with an object as its root. A byte order mark is allowed. If a key appears twice in an
    /// object, the first value is used.
    ///
    /// - Throws: ``AssociationError`` if the bytes are not such a file. All other errors are left to lint.
    public init(parsing bytes: [UInt8]) throws(AssociationError) {
        self = try AssociationDocument(parsing: bytes).association
    }
}

/// An association and the positions of its values in the file.
struct AssociationDocument: Sendable {
    let association: Association
    let json: JSONDocument

    init(parsing bytes: [UInt8]) throws(AssociationError) {
        if let kind = FileKind.foreign(bytes) { throw kind }
        do {
            json = try JSONDocument(parsing: bytes, limits: Association.limits, options: .lenient)
        } catch {
            throw .invalidJSON(error)
        }
        guard case .object(let root) = json.root else { throw .rootIsNotAnObject(json.root.typeName) }
        association = Association(root: root)
    }
}

/// The reason why bytes cannot be read as an association file.
public enum AssociationError: Error, Hashable, Sendable {
    /// The text is not JSON. The value contains the position and the reason.
    case invalidJSON(JSONError)
    /// The root is not an object. The value is its type in words.
    case rootIsNotAnObject(String)
    /// A signed file (CMS). Apple's systems still accept it. It is not JSON, but may contain JSON.
    case signed
    /// A signed file whose content cannot be read. The value is the reason.
    case damagedSignedFile(String)
    /// JSON in an encoding other than UTF-8. The value is the name of the encoding, such as "UTF-16".
    case otherEncoding(String)

    /// A stable error code for programs.
    public var code: String {
        switch self {
        case .invalidJSON: "invalid_json"
        case .rootIsNotAnObject: "root_not_object"
        case .signed: "signed_file"
        case .damagedSignedFile: "damaged_signed_file"
        case .otherEncoding: "other_encoding"
        }
    }

    /// The problem, as a sentence for people.
    public var detail: String {
        switch self {
        case .invalidJSON(let error):
            "The file is not valid JSON (\(error.position.inWords)): \(error.message)."
        case .rootIsNotAnObject(let type): "The file's root must be an object ({…}), not \(type)."
        case .signed: "The file is CMS-signed. Serve the JSON itself: signatures have not been needed since iOS 9."
        case .damagedSignedFile(let reason): "The file is CMS-signed, but its content cannot be read: \(reason)."
        case .otherEncoding(let name): "The file is encoded in \(name) instead of UTF-8."
        }
    }

    /// The position of the error, or `nil` if the error has no position.
    public var position: JSONPosition? {
        if case .invalidJSON(let error) = self { error.position } else { nil }
    }
}

extension Association {
    /// Whether a file begins like a CMS ContentInfo of type signed-data (RFC 5652, section 5.1: OID
    /// 1.2.840.113549.1.7.2) in DER or BER. Its JSON must be extracted before it can be read.
    public static func isSigned(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x30, bytes.count > 2 else { return false }
        // Skip the length of the SEQUENCE: short form, indefinite, or 0x80 + n followed by n bytes.
        let lengthBytes = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7F)
        guard lengthBytes <= 8 else { return false }
        return bytes.dropFirst(2 + lengthBytes).starts(with: [
            0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
        ])
    }
}

/// Recognizes files that are not UTF-8 JSON by their first bytes.
enum FileKind {
    static func foreign(_ bytes: [UInt8]) -> AssociationError? {
        if Association.isSigned(bytes) || isPEM(bytes) { return .signed }
        let head = Array(bytes.prefix(4))
        // RFC 4627, section 3: the null bytes among the first four bytes show the encoding.
        if head == [0xFF, 0xFE, 0, 0] || head == [0, 0, 0xFE, 0xFF] { return .otherEncoding("UTF-32") }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return .otherEncoding("UTF-16") }
        guard head.count == 4 else { return nil }
        switch head.map({ $0 == 0 }) {
        case [true, true, true, false], [false, true, true, true]: return .otherEncoding("UTF-32")
        case [true, false, true, false], [false, true, false, true]: return .otherEncoding("UTF-16")
        default: return nil
        }
    }

    /// Whether the file is a signed message in text form. Apple does not document this form.
    private static func isPEM(_ bytes: [UInt8]) -> Bool {
        let beginnings: [StaticString] = ["-----BEGIN PKCS7", "-----BEGIN CMS"]
        return beginnings.contains { word in word.withUTF8Buffer { bytes.starts(with: $0) } }
    }
}
