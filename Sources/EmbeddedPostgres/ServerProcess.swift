import CLinux
import Glibc
import NIOConcurrencyHelpers
import SystemPackage
import Timing

/// A running server and its watcher. The watcher is a small program that stops the server after this process has ended.
///
/// The watcher's standard input is a pipe, and only this process has its writing end. The pipe is closed when this
/// process closes it or dies. The watcher then sends the server the signal for a fast shutdown. (`PR_SET_PDEATHSIG`
/// would depend on the thread that started the server, not on the process.)
final class ServerProcess: Sendable {
    private struct State {
        var pipe: Int32
        var lock: DirectoryLock?
    }

    let watcher: ChildProcess
    private let directory: DataDirectory
    private let state: NIOLockedValueBox<State>

    /// `$1` is the folder to remove at the end, if any. The other arguments are the server's command. The watcher
    /// ignores signals: if one killed the watcher, the server would continue to run. A server that is starting also
    /// ignores the signal until it has set its own signal handlers. So the watcher repeats the signal until the server
    /// has ended.
    static let script = """
        trap '' INT HUP TERM
        removing=$1
        shift
        exec 3<&0 </dev/null
        "$@" 3<&- &
        server=$!
        (
            cat <&3 >/dev/null
            while kill -INT $server 2>/dev/null; do sleep 0.2; done
        ) &
        waiting=$!
        wait $server
        status=$?
        kill -KILL $waiting 2>/dev/null
        if [ -n "$removing" ]; then rm -rf -- "$removing"; fi
        exit $status
        """

    private init(watcher: ChildProcess, directory: DataDirectory, pipe: Int32, lock: DirectoryLock) {
        self.watcher = watcher
        self.directory = directory
        state = NIOLockedValueBox(State(pipe: pipe, lock: lock))
    }

    deinit {
        closePipe()
    }

    /// Starts the server. Returns before it is ready.
    static func start(
        account: ServerAccount, arguments: [String], log: String, removing: String?, directory: DataDirectory,
        lock: DirectoryLock
    ) async throws(EmbeddedPostgresError) -> ServerProcess {
        let output = open(log, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw .system(path: log, reason: SystemError.text) }
        defer { close(output) }
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .system(path: log, reason: SystemError.text) }
        defer { close(ends[0]) }
        do throws(EmbeddedPostgresError) {
            let watcher = try await ChildProcess.start(
                account.command(["/bin/sh", "-c", script, "waymark-postgres", removing ?? ""] + arguments),
                input: FileDescriptor(rawValue: ends[0]), output: FileDescriptor(rawValue: output))
            return ServerProcess(watcher: watcher, directory: directory, pipe: ends[1], lock: lock)
        } catch {
            close(ends[1])
            throw error
        }
    }

    /// Waits until the server accepts connections.
    func waitUntilReady(patience: Duration) async throws(EmbeddedPostgresError) {
        let limit = MonotonicInstant.now + patience
        while directory.postmaster?.isReady != true {
            if watcher.exitStatus != nil {
                throw .failed(program: "postgres", output: logEnd)
            }
            guard MonotonicInstant.now < limit else {
                let output = logEnd
                try? await stop(patience: .seconds(5))
                throw .late(dataDirectory: directory.path, output: output)
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Stops the server and waits until it has ended.
    func stop(patience: Duration) async throws(EmbeddedPostgresError) {
        guard closePipe() else { return }
        defer { state.withLockedValue { $0.lock = nil } }
        // The socket's folder is outside the data folder, so it is removed here. If it is in use, it is not empty and
        // stays.
        defer { rmdir(directory.socketDirectory) }
        if await watcher.wait(until: .now + patience) != nil { return }
        if let postmaster = directory.postmaster { kill(postmaster.pid, SIGQUIT) }
        guard await watcher.wait(until: .now + .seconds(5)) != nil else {
            throw .late(dataDirectory: directory.path, output: logEnd)
        }
    }

    private var logEnd: String {
        String(decoding: (TextFile.read(directory.logPath) ?? []).suffix(2000), as: UTF8.self)
    }

    /// - Returns: False if the pipe was already closed.
    @discardableResult
    private func closePipe() -> Bool {
        let pipe = state.withLockedValue { state in
            defer { state.pipe = -1 }
            return state.pipe
        }
        if pipe >= 0 { close(pipe) }
        return pipe >= 0
    }
}
