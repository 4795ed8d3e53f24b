public import AASA
import Postgres

/// Drafts and files that this process has read lately, parsed and compiled.
struct DraftMemory: Sendable {
    /// About how many bytes of memory a byte of a document or of a file takes, with all that is worked out of it.
    private static let growth = 20
    /// What the smallest takes.
    private static let least = 8_192

    private let drafts = DigestMemory<DraftContents>(mostValues: 1_000, mostBytes: 64 << 20)
    private let files = DigestMemory<FileContents>(mostValues: 500, mostBytes: 32 << 20)

    func contents(of document: [UInt8]) -> DraftContents? { drafts.value(of: document) }

    func keep(_ contents: DraftContents, of document: [UInt8], documentBytes: Int) -> DraftContents {
        drafts.keep(contents, of: document, bytes: Self.least + documentBytes * Self.growth)
    }

    func file(_ sha256: [UInt8]) -> FileContents? { files.value(of: sha256) }

    func keep(_ file: FileContents, of sha256: [UInt8], bytes: Int) -> FileContents {
        files.keep(file, of: sha256, bytes: Self.least + bytes * Self.growth)
    }
}

extension TenantTransaction {
    /// What the file of a version says. Throws `notFound`, and what `read` throws.
    ///
    /// - Parameter read: reads the file's bytes if the process does not remember them.
    public func contents(
        ofVersion number: Int, of host: Host, _ read: ([UInt8]) throws -> Association
    ) throws -> FileContents {
        let row = try database.first(
            """
            select sha256 from versions
            where organization_id = \(organization.uuid) and host = \(host.description) and number = \(number)
            """)
        if let sha256 = try row?.decode("sha256", as: [UInt8].self), let known = memory.file(sha256) { return known }
        let file = try file(ofVersion: number, of: host)
        return memory.keep(FileContents(try read(file)), of: digest(file), bytes: file.count)
    }
}
