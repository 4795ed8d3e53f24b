import CLinux
import Glibc
import Timing

/// A program started by us, in a session of its own: the terminal's Ctrl-C does not reach it.
struct ChildProcess: Sendable {
    let pid: pid_t

    /// `POSIX_SPAWN_SETSID`, which Swift's Glibc does not export.
    private static let newSession: Int16 = 0x80
    /// `MFD_CLOEXEC`, likewise.
    private static let closeOnExec: UInt32 = 1
    /// Nothing of our environment: it may hold passwords, and locale and `PG…` variables would change the server.
    private static let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]

    /// Starts a program in `/`.
    ///
    /// - Parameters:
    ///   - arguments: the program's full path and its arguments.
    ///   - input: what it gets as descriptor 3, nothing else of ours being open to it; nil for none.
    ///   - output: where its standard output and error go.
    static func start(
        _ arguments: [String], descriptor3 input: Int32? = nil, output: Int32
    ) throws(EmbeddedPostgresError) -> ChildProcess {
        guard let program = arguments.first else { throw .failed(program: "", output: "no program") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addchdir_np(&actions, "/")
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 3) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals blocked or ignored in our process would stay so in the server.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var values: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for pointer in values + variables { free(pointer) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, program, &actions, &attributes, &values, &variables)
        guard code == 0 else { throw .failed(program: program, output: String(cString: strerror(code))) }
        return ChildProcess(pid: pid)
    }

    /// Runs a program to its end. Blocks.
    ///
    /// - Throws: `.failed` with the end of its output when it fails or takes longer than `patience`.
    static func run(_ arguments: [String], patience: Duration) throws(EmbeddedPostgresError) {
        let output = memfd_create("output", closeOnExec)
        guard output >= 0 else { throw .failed(program: arguments.first ?? "", output: SystemError.text) }
        defer { close(output) }
        let child = try start(arguments, output: output)
        let status = child.wait(until: .now + patience)
        if status == nil { child.signal(SIGKILL) }
        guard status == 0 else {
            throw .failed(
                program: arguments.first { !$0.contains("setpriv") && $0.hasPrefix("/") } ?? "",
                output: TextFile.end(of: output))
        }
    }

    /// Waits for its end. Blocks.
    ///
    /// - Returns: its exit status, 128 and more when a signal ended it; nil when it still runs at that moment.
    func wait(until moment: MonotonicInstant) -> Int32? {
        while true {
            if let status = exitStatus() { return status }
            guard MonotonicInstant.now < moment else { return nil }
            usleep(5000)
        }
    }

    /// Its exit status, if it has ended.
    func exitStatus() -> Int32? {
        var status: Int32 = 0
        let result = waitpid(pid, &status, WNOHANG)
        if result == 0 || (result < 0 && errno == EINTR) { return nil }
        guard result == pid else { return 255 }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    func signal(_ signal: Int32) {
        kill(pid, signal)
    }
}

extension TextFile {
    /// The last 2,000 bytes of an open file.
    static func end(of descriptor: Int32) -> String {
        let size = lseek(descriptor, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: 2000)
        let count = pread(descriptor, &bytes, bytes.count, max(0, size - 2000))
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
