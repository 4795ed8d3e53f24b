import FoundationEssentials
import Glibc

/// The bytes of a file on the command line. `-` means standard input.
enum InputFile {
    /// The maximum number of bytes to read at once. It is much larger than any association file.
    static let limit = 16 << 20

    static func read(_ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try eachPart(of: path) { part in
            bytes += part
            guard bytes.count <= limit else {
                throw Refusal("\(path) has more than \(limit) bytes, which is the limit")
            }
        }
        return bytes
    }

    /// Calls `body` with each line of a file, without its line feed. The file can be larger than the memory.
    ///
    /// - Parameter limit: The maximum length of a line in bytes.
    static func eachLine(of path: String, upTo limit: Int, _ body: ([UInt8]) throws -> Void) throws {
        var rest: [UInt8] = []
        try eachPart(of: path) { part in
            var parts = part.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let last = parts.removeLast()
            for line in parts {
                try body(rest + line)
                rest = []
            }
            rest += last
            guard rest.count <= limit else {
                throw Refusal("\(path) has a line of more than \(limit) bytes, which is the limit")
            }
        }
        if !rest.isEmpty { try body(rest) }
    }

    private static func eachPart(of path: String, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refusal("\(path) cannot be read: \(String(cString: strerror(errno)))") }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Refusal("\(path) cannot be read: \(String(cString: strerror(errno)))") }
            if count == 0 { return }
            try body(buffer.prefix(count))
        }
    }
}
