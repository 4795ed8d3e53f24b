public import AASA
import FoundationEssentials
import Postgres

/// A cache of the parsed and compiled drafts and files that this process has read recently. The key is the organization
/// and the SHA-256 of the text.
///
/// The organization is part of the key so that response times do not show whether another organization has the same
/// text.
struct DraftMemory: Sendable {
    /// The size in bytes of a draft's file from which the draft's document counts as large. A smaller document is read
    /// together with its digest. For a large one, only the digest is read first, and the cache may already have the
    /// draft.
    static let small = 2_048
    /// The assumed bytes of memory for each byte of a text, parsed and compiled for all cached systems and readings. It
    /// is an upper estimate: a list of variable values takes about 27 bytes for each byte, each time that it is
    /// compiled.
    private static let growth = 120
    /// The approximate minimum memory of a draft or file, in bytes.
    private static let least = 8_192

    private let drafts = DigestMemory<DraftContents>(maximumValues: 1_000, maximumBytes: 64 << 20)
    private let files = DigestMemory<FileContents>(maximumValues: 500, maximumBytes: 32 << 20)

    func contents(of sha256: [UInt8], in organization: ID<Organization>) -> DraftContents? {
        drafts.value(of: key(sha256, organization))
    }

    /// Adds a draft to the cache, by the SHA-256 of its document.
    ///
    /// - Returns: The draft, or the equal draft that another caller has added first.
    func keep(_ contents: DraftContents, of document: String, in organization: ID<Organization>) -> DraftContents {
        let bytes = Array(document.utf8)
        return drafts.keep(
            contents, of: key(digest(bytes), organization), bytes: Self.least + bytes.count * Self.growth)
    }

    func file(_ sha256: [UInt8], in organization: ID<Organization>) -> FileContents? {
        files.value(of: key(sha256, organization))
    }

    /// Adds a file to the cache, by the SHA-256 of its bytes.
    ///
    /// - Returns: The file, or the equal file that another caller has added first.
    func keep(_ file: FileContents, of bytes: [UInt8], in organization: ID<Organization>) -> FileContents {
        files.keep(file, of: key(digest(bytes), organization), bytes: Self.least + bytes.count * Self.growth)
    }

    private func key(_ sha256: [UInt8], _ organization: ID<Organization>) -> [UInt8] {
        withUnsafeBytes(of: organization.uuid.uuid) { Array($0) } + sha256
    }
}

extension TenantTransaction {
    /// The contents of a version's file. Throws `notFound`, and the errors of `read`.
    ///
    /// - Parameter read: Parses the file. It is called only if the file is not in the cache.
    public func contents(
        ofVersion number: Int, of host: Host, _ read: ([UInt8]) throws -> Association
    ) throws -> FileContents {
        let row = try database.first(
            """
            select sha256 from versions
            where organization_id = \(organization.uuid) and host = \(host.description) and number = \(number)
            """)
        if let sha256 = try row?.decode("sha256", as: [UInt8].self),
            let known = memory.file(sha256, in: organization)
        {
            return known
        }
        let file = try file(ofVersion: number, of: host)
        return memory.keep(FileContents(try read(file)), of: file, in: organization)
    }
}
