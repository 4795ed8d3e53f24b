import Glibc
import StrictJSON

/// Output for users at a terminal.
enum Console {
    /// True if standard output is a terminal and colors are not turned off (https://no-color.org).
    static var showsColors: Bool { isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

    /// Writes a text of one or several lines to standard output.
    static func say(_ text: String) throws(OutputFailure) { try say(TerminalText.lines(text)) }

    /// Writes lines to standard output.
    static func say(_ lines: [TerminalText]) throws(OutputFailure) {
        try answer(Array(lines.map { $0.written + "\n" }.joined().utf8))
    }

    /// Writes JSON to standard output.
    static func say(_ json: JSONValue) throws(OutputFailure) { try say([TerminalText(json)]) }

    /// Writes bytes to standard output.
    static func answer(_ bytes: [UInt8]) throws(OutputFailure) {
        let code = write(bytes, to: STDOUT_FILENO)
        if code != 0 { throw OutputFailure(code: code) }
    }

    /// Writes a text of one or several lines to standard error. Ignores write errors.
    static func complain(_ text: String) {
        _ = write(Array(TerminalText.lines(text).map { $0.written + "\n" }.joined().utf8), to: STDERR_FILENO)
    }

    /// Writes bytes until all are written or an error occurs.
    ///
    /// - Returns: 0, or the `errno` of the error.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}

/// The error if standard output cannot be written. It ends the command.
struct OutputFailure: Error, CustomStringConvertible {
    /// The value of `errno`.
    let code: Int32

    /// True if the reader has closed the pipe, as `head` does after its last line.
    var isReaderGone: Bool { code == EPIPE }

    var description: String { "standard output cannot be written: \(String(cString: strerror(code)))" }
}
