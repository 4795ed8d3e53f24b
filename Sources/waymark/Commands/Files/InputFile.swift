import FoundationEssentials
import Glibc

/// The bytes of a file on the command line. `-` means standard input.
enum InputFile {
    /// The maximum number of bytes to read. It is much larger than any association file.
    static let limit = 16 << 20

    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refusal("\(path) cannot be read: \(String(cString: strerror(errno)))") }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Refusal("\(path) cannot be read: \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else {
                throw Refusal("\(path) has more than \(limit) bytes, which is the limit")
            }
        }
    }
}
