import Foundation
import Logging
import Metrics
import NIOConcurrencyHelpers

/// Writes the log of `serve` on its own thread, so that no request formats a line or waits for standard error.
///
/// The queue is limited. When it is full, new lines are dropped. Their number is logged once writing resumes. Part of
/// the queue is reserved for warnings and errors. A clean stop writes the lines in the queue; a killed or crashed
/// process loses them.
final class LogWriter: Sendable {
    /// The maximum size of the queue, in bytes.
    private static let limit = 6 << 20
    private static let limitOfInformation = 4 << 20
    /// The estimated size of a queued line without its message, in bytes.
    private static let bytesOfLine = 512
    /// Lines are joined into writes of at most this many bytes (`PIPE_BUF`), which a pipe accepts as a whole. So they
    /// do not mix with the edge's lines, which go to the same standard error.
    private static let longestPiece = 4_096
    /// The longest time that ``finish()`` waits until the queue is written.
    private static let patience = Duration.seconds(3)

    private struct Line {
        let event: LogEvent
        let format: LogFormat
        let time: Date

        var bytes: Int { "\(event.message)".utf8.count + LogWriter.bytesOfLine }
    }

    private struct State {
        var lines: [Line] = []
        /// The estimated size of the queued lines, in bytes.
        var bytes = 0
        var dropped = 0
        /// The format of the last dropped line.
        var format: LogFormat?
        /// True while the thread writes lines that it has taken from the queue.
        var isWriting = false
        /// True after the queue is written and closed. Callers then write their lines themselves.
        var isFinished = false
    }

    private enum Admission {
        case first, later, dropped, finished
    }

    private let state = NIOLockedValueBox(State())
    /// True if the thread has lines to write.
    private let bell = ConditionLock(value: false)
    private let drops = Counter(label: "waymark_log_lines_dropped_total")

    /// Starts the thread, which runs until the process ends.
    init() {
        let thread = Thread { [self] in while true { work() } }
        thread.name = "log"
        thread.start()
    }

    /// Adds a line to the queue without waiting. If the queue is full, drops the line.
    func add(_ event: LogEvent, _ format: LogFormat) {
        let line = Line(event: event, format: format, time: .now)
        let limit = event.level > .info ? Self.limit : Self.limitOfInformation
        let admission: Admission = state.withLockedValue { state in
            guard !state.isFinished else { return .finished }
            guard state.bytes + line.bytes <= limit else {
                state.dropped += 1
                state.format = format
                return .dropped
            }
            state.lines.append(line)
            state.bytes += line.bytes
            return state.lines.count == 1 && !state.isWriting ? .first : .later
        }
        switch admission {
        case .first: ring()
        case .later: break
        case .dropped: drops.increment()
        case .finished: Console.complain(format.line(event, at: line.time))
        }
    }

    /// Waits until the queue is written, for three seconds at most. Then callers write later lines themselves.
    func finish() async {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            let isEmpty = state.withLockedValue { state in
                guard state.lines.isEmpty, !state.isWriting else { return false }
                state.isFinished = true
                return true
            }
            if isEmpty { return }
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    private func ring() {
        bell.lock()
        bell.unlock(withValue: true)
    }

    /// Waits until lines are queued, and writes until the queue is empty.
    private func work() {
        bell.lock(whenValue: true)
        bell.unlock(withValue: false)
        while true {
            let (lines, dropped, format) = state.withLockedValue { state in
                defer {
                    state = State(isWriting: !state.lines.isEmpty || state.dropped > 0, isFinished: state.isFinished)
                }
                return (state.lines, state.dropped, state.format)
            }
            if lines.isEmpty, dropped == 0 { return }
            write(lines)
            if let format { report(dropped: dropped, format) }
        }
    }

    private func write(_ lines: [Line]) {
        var piece = ""
        for line in lines {
            let text = line.format.line(line.event, at: line.time)
            if !piece.isEmpty, piece.utf8.count + text.utf8.count + 2 > Self.longestPiece {
                Console.complain(piece)
                piece = ""
            }
            piece += piece.isEmpty ? text : "\n" + text
        }
        if !piece.isEmpty { Console.complain(piece) }
    }

    private func report(dropped count: Int, _ format: LogFormat) {
        let event = LogEvent(
            level: .warning, message: "Log lines were dropped, because standard error was not read fast enough.",
            metadata: ["lines": "\(count)"], source: "waymark", file: #fileID, function: #function, line: #line)
        Console.complain(format.line(event, at: .now))
    }
}
