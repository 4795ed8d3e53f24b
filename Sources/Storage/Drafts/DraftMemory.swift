public import AASA
import FoundationEssentials
import Postgres

/// Drafts and files that this process has read lately, parsed and compiled, by organization and SHA-256 of their text.
///
/// The organization is part of the key. Otherwise, the time of a request would show whether another organization has
/// the same text.
struct DraftMemory: Sendable {
    /// The document of a draft with a file of fewer bytes is read together with its digest.
    static let small = 2_048
    /// The most bytes of memory that each byte of a text takes, parsed and compiled for each system and reading that is
    /// kept. An estimate: a list of variable values takes about 27 bytes for each byte, each time that it is compiled.
    private static let growth = 120
    /// About how many bytes a draft or file takes in any case.
    private static let least = 8_192

    private let drafts = DigestMemory<DraftContents>(maximumValues: 1_000, maximumBytes: 64 << 20)
    private let files = DigestMemory<FileContents>(maximumValues: 500, maximumBytes: 32 << 20)

    func contents(of sha256: [UInt8], in organization: ID<Organization>) -> DraftContents? {
        drafts.value(of: key(sha256, organization))
    }

    /// Remembers a draft by its document.
    func keep(_ contents: DraftContents, of document: String, in organization: ID<Organization>) -> DraftContents {
        let bytes = Array(document.utf8)
        return drafts.keep(
            contents, of: key(digest(bytes), organization), bytes: Self.least + bytes.count * Self.growth)
    }

    func file(_ sha256: [UInt8], in organization: ID<Organization>) -> FileContents? {
        files.value(of: key(sha256, organization))
    }

    /// Remembers a file by its bytes.
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
    /// - Parameter read: parses the file if the process does not remember it.
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
