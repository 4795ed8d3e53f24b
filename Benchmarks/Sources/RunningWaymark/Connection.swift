import Glibc

/// An answer from a server.
package struct HTTPAnswer {
    package let head: String
    package let body: String

    /// The code in the status line, or 0 if there is none.
    package var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

    /// The value of a header field. The name must be in lower case.
    package func field(_ name: String) -> String? {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name + ": ") {
            return String(line.dropFirst(name.count + 2))
        }
        return nil
    }
}

/// An HTTP connection to a port on this machine, with blocking calls.
package final class Connection {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects. Returns `nil` if no process listens on the port.
    package init?(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return nil }
    }

    deinit { _ = close(descriptor) }

    /// Sends a request and returns the answer, or `nil` if the connection ends.
    package func ask(_ method: String, _ path: String, fields: [String], body: String = "") -> HTTPAnswer? {
        let lines = ["\(method) \(path) HTTP/1.1", "Content-Length: \(body.utf8.count)"] + fields
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        let end: [UInt8] = [13, 10, 13, 10]
        while true {
            if let found = buffer.firstRange(of: end) {
                let answer = HTTPAnswer(head: String(decoding: buffer[..<found.lowerBound], as: UTF8.self), body: "")
                let isBodiless = method == "HEAD" || answer.status == 304
                let length = isBodiless ? 0 : answer.field("content-length").flatMap { Int($0) } ?? 0
                while buffer.count < found.upperBound + length { guard receive() else { return nil } }
                let body = String(decoding: buffer[found.upperBound..<found.upperBound + length], as: UTF8.self)
                buffer.removeFirst(found.upperBound + length)
                return HTTPAnswer(head: answer.head, body: body)
            }
            guard receive() else { return nil }
        }
    }

    private func receive() -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &part, part.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: part[..<count])
        return true
    }
}
