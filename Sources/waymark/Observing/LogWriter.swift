import Foundation
import Logging
import Metrics
import NIOConcurrencyHelpers

/// Writes the log of `serve` on its own thread, so that no request formats a line or waits for the reader of the log.
///
/// The queue is limited. When it is full, lines are dropped and counted, and the log has the count as soon as lines can
/// be written again. Lines of requests leave a part of the queue to warnings and errors. A killed or crashed process loses
/// the lines in the queue; a clean stop writes them first.
final class LogWriter: Sendable {
    /// The most memory for waiting lines, in bytes, for all lines and for those up to `info`.
    private static let limit = 6 << 20
    private static let limitOfInformation = 4 << 20
    /// The bytes that a line counts beside its message: its metadata, its event and its place in the queue.
    private static let bytesOfLine = 512
    /// Lines are written together up to so many bytes, which a pipe accepts as a whole (`PIPE_BUF`). So they are not mixed
    /// with the lines of the edge, which has the same standard error.
    private static let longestPiece = 4_096
    /// How long ``finish()`` waits for the reader of the log.
    private static let patience = Duration.seconds(3)

    private struct Line {
        let event: LogEvent
        let format: LogFormat
        let time: Date

        var bytes: Int { "\(event.message)".utf8.count + LogWriter.bytesOfLine }
    }

    private struct State {
        var lines: [Line] = []
        /// Of the waiting lines.
        var bytes = 0
        var dropped = 0
        /// The format of the last dropped line.
        var format: LogFormat?
        /// Whether the thread is writing lines that it has taken.
        var isWriting = false
        /// Whether lines are written by their callers.
        var isFinished = false
    }

    private enum Admission {
        case first, later, dropped, finished
    }

    private let state = NIOLockedValueBox(State())
    /// Whether there is work for the thread.
    private let bell = ConditionLock(value: false)
    private let drops = Counter(label: "waymark_log_lines_dropped_total")

    /// A writer. Its thread exists until the process ends.
    init() {
        let thread = Thread { [self] in while true { work() } }
        thread.name = "log"
        thread.start()
    }

    /// Adds a line. Never waits.
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

    /// Writes the lines in the queue, for a few seconds at most. Later lines are written by their callers.
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

    /// Waits for lines, and writes until none is left.
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
