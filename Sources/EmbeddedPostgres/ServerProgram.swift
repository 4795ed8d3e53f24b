import Glibc

/// An installed PostgreSQL server. Its programs are started with their full path, because Debian does not add them to
/// `PATH`.
struct ServerProgram: Hashable {
    private static let root = "/usr/lib/postgresql"

    let major: Int

    func path(_ program: String) -> String { "\(Self.root)/\(major)/bin/\(program)" }

    /// The installed servers, newest first.
    static var installed: [ServerProgram] {
        guard let directory = opendir(root) else { return [] }
        defer { closedir(directory) }
        var programs: [ServerProgram] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let major = Int(name) else { continue }
            let program = ServerProgram(major: major)
            if access(program.path("postgres"), X_OK) == 0, access(program.path("initdb"), X_OK) == 0 {
                programs.append(program)
            }
        }
        return programs.sorted { $0.major > $1.major }
    }
}
