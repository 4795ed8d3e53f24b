import Glibc

/// Reads small files completely.
enum TextFile {
    /// The maximum size in bytes. It is larger than any file that is read here.
    private static let maximumSize = 16 * 1024 * 1024

    /// The bytes of a file, or `nil` if it cannot be read or is larger than 16 MiB.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= maximumSize {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
        return nil
    }

    /// The lines of a file, or `nil` in the same cases as `read`.
    static func lines(_ path: String) -> [String]? {
        read(path).map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
        }
    }
}
