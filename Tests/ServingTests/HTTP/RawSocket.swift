import Dispatch
import Glibc
import NIOCore

/// A client that sends exactly the given bytes.
final class RawSocket: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let step: String
        let code: Int32
        var description: String { "\(step): \(String(cString: strerror(code)))" }
    }

    private let descriptor: Int32

    /// - Parameters:
    ///   - receiveBuffer: the size of the system's receive buffer; small for a client that reads slowly.
    init(port: Int, receiveBuffer: Int32? = nil, timeout: Int = 60) throws {
        let opened = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard opened >= 0 else { throw Failure(step: "socket", code: errno) }
        // From here on `deinit` closes it, even if this throws. A second close could close another test's descriptor.
        descriptor = opened
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // Pass the system's structures as bytes, because the module that declares them depends on the other imports.
        var time = [timeout, 0]
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<Int>.size * 2))
        let family = UInt16(AF_INET)
        let address: [UInt8] =
            [UInt8(family & 255), UInt8(family >> 8), UInt8(port >> 8), UInt8(port & 255), 127, 0, 0, 1]
            + [UInt8](repeating: 0, count: 8)
        let result = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { connect(descriptor, $0.baseAddress, 16) }
        }
        guard result == 0 else { throw Failure(step: "connect", code: errno) }
    }

    deinit { close(descriptor) }

    /// Sends the whole text.
    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(step: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Closes the sending half.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns received bytes, at most `limit`; empty at the end. Throws if nothing arrives in time.
    func receive(limit: Int = 65_536) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        guard count >= 0 else { throw Failure(step: "receive", code: errno) }
        return Array(buffer.prefix(count))
    }

    /// Returns everything up to the end of the connection. A reset counts as an end.
    func receiveAll() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            do {
                let part = try receive()
                if part.isEmpty { return all }
                all += part
            } catch let failure as Failure where failure.code == ECONNRESET {
                return all
            }
        }
    }

    /// Returns the next `count` answers.
    func receive(answers count: Int, toHEAD: Bool = false) throws -> [RawAnswer] {
        var bytes: [UInt8] = []
        while true {
            let answers = RawAnswer.parse(bytes, toHEAD: toHEAD)
            if answers.count >= count { return answers }
            let part = try receive()
            guard !part.isEmpty else { throw Failure(step: "end after \(answers.count) answers", code: 0) }
            bytes += part
        }
    }
}

/// An answer as received.
struct RawAnswer {
    let status: Int
    /// The fields in the order sent, with names in lower case.
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    static func parse(_ bytes: [UInt8], toHEAD: Bool = false) -> [RawAnswer] {
        var answers: [RawAnswer] = []
        var rest = bytes[...]
        while let (head, after) = split(rest) {
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3))
            else { return answers }
            let fields = lines.dropFirst().map { line in
                let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: parts[0].lowercased(), value: parts.count > 1 ? String(parts[1]) : "")
            }
            let length = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
            let expected = toHEAD || status == 304 ? 0 : length
            guard after.count >= expected else { return answers }
            answers.append(RawAnswer(status: status, fields: fields, body: Array(after.prefix(expected))))
            rest = after.dropFirst(expected)
        }
        return answers
    }

    private static func split(_ bytes: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
        var index = bytes.startIndex
        while index + 4 <= bytes.endIndex {
            if bytes[index] == 13, bytes[index..<index + 4].elementsEqual([13, 10, 13, 10]) {
                return (bytes[..<index], bytes[(index + 4)...])
            }
            index += 1
        }
        return nil
    }
}

/// Runs blocking work on other threads than those that the tests share.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Swift.Result { try work() }) }
    }
}

/// Sends `text` on a new connection and returns all answers up to its end.
func exchange(_ port: Int, _ text: String, toHEAD: Bool = false) async throws -> [RawAnswer] {
    try await blocking {
        let socket = try RawSocket(port: port)
        try socket.send(text)
        return RawAnswer.parse(try socket.receiveAll(), toHEAD: toHEAD)
    }
}

/// Waits on this thread.
func usleepMilliseconds(_ count: UInt32) { usleep(count * 1000) }
