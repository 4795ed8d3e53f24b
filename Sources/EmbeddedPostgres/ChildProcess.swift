import Glibc
import NIOConcurrencyHelpers
import Subprocess
import SystemPackage
import Timing

/// A child process in its own session, so Ctrl-C in the terminal does not reach it.
final class ChildProcess: Sendable {
    let pid: pid_t
    private let status: NIOLockedValueBox<Int32?>

    private init(pid: pid_t, status: NIOLockedValueBox<Int32?>) {
        self.pid = pid
        self.status = status
    }

    /// Starts a program in the folder `/`. The program continues if the caller's task ends or is cancelled.
    ///
    /// - Parameters:
    ///   - arguments: The program's full path and its arguments.
    ///   - input: The program's standard input.
    ///   - output: The program's standard output and standard error.
    /// - Throws: `.failed` if it cannot be started.
    static func start(
        _ arguments: [String], input: FileDescriptor, output: FileDescriptor
    ) async throws(EmbeddedPostgresError) -> ChildProcess {
        let status = NIOLockedValueBox<Int32?>(nil)
        let (pids, started) = AsyncThrowingStream.makeStream(of: pid_t.self)
        Task {
            do {
                let result = try await Subprocess.run(
                    configuration(arguments), input: .fileDescriptor(input, closeAfterSpawningProcess: false),
                    output: .fileDescriptor(output, closeAfterSpawningProcess: false),
                    error: .fileDescriptor(output, closeAfterSpawningProcess: false)
                ) { execution in
                    started.yield(execution.processIdentifier.value)
                }
                status.withLockedValue { $0 = result.terminationStatus.exitStatus }
                started.finish()
            } catch {
                status.withLockedValue { $0 = 255 }
                started.finish(throwing: error)
            }
        }
        do {
            for try await pid in pids { return ChildProcess(pid: pid, status: status) }
            throw EmbeddedPostgresError.failed(program: arguments.first ?? "", output: "not started")
        } catch let error as EmbeddedPostgresError {
            throw error
        } catch {
            throw .failed(program: arguments.first ?? "", output: "\(error)")
        }
    }

    /// Runs a program and waits until it ends.
    ///
    /// - Throws: `.failed` with the end of the output if the program fails, or without output if it runs longer than
    ///   `patience`.
    static func run(_ arguments: [String], patience: Duration) async throws(EmbeddedPostgresError) {
        let output: String
        do {
            let (status, text) = try await withTimeout(patience) {
                let result = try await Subprocess.run(
                    configuration(arguments), input: .none, output: .string(limit: 1 << 20),
                    error: .combinedWithOutput)
                return (result.terminationStatus, result.standardOutput)
            }
            if status.isSuccess { return }
            output = String(text.suffix(2000))
        } catch {
            output = error is TimedOut ? "" : "\(error)"
        }
        throw .failed(program: arguments.first { !$0.contains("setpriv") && $0.hasPrefix("/") } ?? "", output: output)
    }

    private static func configuration(_ arguments: [String]) -> Configuration {
        var options = PlatformOptions()
        options.createSession = true
        return Configuration(
            executable: .path(FilePath(arguments.first ?? "")), arguments: Arguments(Array(arguments.dropFirst())),
            // The child must not inherit our environment. It may contain passwords, and locale or `PG…` variables would
            // change the server's behaviour.
            environment: .custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]), workingDirectory: "/",
            platformOptions: options)
    }

    /// Waits until the program ends.
    ///
    /// - Returns: The exit status, or `nil` if it is still running at `instant`.
    func wait(until instant: MonotonicInstant) async -> Int32? {
        while true {
            if let status = exitStatus { return status }
            guard MonotonicInstant.now < instant else { return nil }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The exit status, or 128 plus the signal that ended the program. `nil` while it is running.
    var exitStatus: Int32? { status.withLockedValue { $0 } }
}

extension TerminationStatus {
    fileprivate var exitStatus: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}
