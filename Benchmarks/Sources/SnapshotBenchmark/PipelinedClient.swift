import Glibc

/// Sends HEAD requests to an edge, many at the same time on one connection.
final class PipelinedClient {
    private static let path = "/.well-known/apple-app-site-association"
    private let descriptor: Int32

    /// Connects to a port on this machine.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return nil }
    }

    /// Sends a `HEAD` request for each host and reads the answers.
    ///
    /// - Returns: The number of answers with status 200.
    func ask(_ hosts: [String]) -> Int {
        let text = hosts.map { "HEAD \(Self.path) HTTP/1.1\r\nHost: \($0)\r\n\r\n" }.joined()
        var request = Array(text.utf8)[...]
        while !request.isEmpty {
            let sent = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return 0 }
            request = request.dropFirst(sent)
        }
        var ends = 0
        var found = 0
        var matched = 0
        var line: [UInt8] = []
        let end: [UInt8] = [13, 10, 13, 10]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while ends < hosts.count {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return found }
            for byte in buffer[..<count] {
                if line.count < 12 { line.append(byte) }
                matched = byte == end[matched] ? matched + 1 : (byte == 13 ? 1 : 0)
                if matched == 4 {
                    ends += 1
                    if line.elementsEqual("HTTP/1.1 200".utf8) { found += 1 }
                    line = []
                    matched = 0
                }
            }
        }
        return found
    }

    deinit { _ = Glibc.close(descriptor) }
}
