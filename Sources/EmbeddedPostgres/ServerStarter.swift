import Glibc
import Logging
import Timing

/// Starts an embedded server, step by step.
struct ServerStarter {
    let directory: DataDirectory
    private let settings: EmbeddedPostgres.Settings
    private let account: ServerAccount
    /// The folder to remove when the server has ended, or `nil`.
    private let removing: String?
    private let logger: Logger

    init(_ settings: EmbeddedPostgres.Settings, removing: String?, logger: Logger) throws(EmbeddedPostgresError) {
        self.settings = settings
        self.removing = removing
        self.logger = logger
        account = try ServerAccount.current(insteadOfRoot: settings.user)
        var path = settings.dataDirectory
        if !path.hasPrefix("/") {
            guard let current = getcwd(nil, 0) else { throw .system(path: path, reason: SystemError.text) }
            defer { free(current) }
            path = String(cString: current) + "/" + path
        }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        directory = DataDirectory(path: path)
    }

    func start() async throws(EmbeddedPostgresError) -> ServerProcess {
        if let removing, account.isOther, chown(removing, account.user, account.group) != 0 {
            throw .system(path: removing, reason: SystemError.text)
        }
        // This also creates the parent folders, which the lock file needs.
        try account.makePrivateDirectory(directory.path + ".socket")
        guard let lock = try DirectoryLock(directory.lockPath) else { throw .inUse(dataDirectory: directory.path) }
        let program = try program()
        try await checkReachable()
        try await stopLeftover()
        if directory.content == .nothing { try await makeCluster(program) }
        await directory.removeStaleLock()
        if directory.socketDirectory != directory.path + ".socket" {
            try account.makePrivateDirectory(directory.socketDirectory)
        }
        let server = try await ServerProcess.start(
            account: account, arguments: [program.path("postgres")] + serverArguments,
            log: directory.logPath, removing: removing, directory: directory, lock: lock)
        try await server.waitUntilReady(patience: settings.patience)
        return server
    }

    /// The installed server that wrote the data, or the newest one if there is no data.
    private func program() throws(EmbeddedPostgresError) -> ServerProgram {
        let installed = ServerProgram.installed
        guard let newest = installed.first else { throw .notInstalled }
        switch directory.content {
        case .nothing: return newest
        case .somethingElse: throw .foreignDirectory(directory.path)
        case .cluster(let major):
            guard let program = installed.first(where: { $0.major == major }) else {
                throw .otherVersion(dataDirectory: directory.path, data: major, installed: newest.major)
            }
            return program
        }
    }

    private func checkReachable() async throws(EmbeddedPostgresError) {
        guard account.isOther else { return }
        do {
            try await ChildProcess.run(
                account.command(["/bin/sh", "-c", "cd \"$1\"", "sh", directory.path + ".socket"]),
                patience: .seconds(10))
        } catch {
            throw .unreachable(directory: directory.path, user: account.name)
        }
    }

    /// Stops the server of a killed process, and waits until it has ended.
    private func stopLeftover() async throws(EmbeddedPostgresError) {
        let limit = MonotonicInstant.now + settings.patience
        var told: pid_t?
        while let postmaster = directory.postmaster {
            if told != postmaster.pid {
                logger.info("stopping a PostgreSQL left by an earlier process", metadata: ["pid": "\(postmaster.pid)"])
                kill(postmaster.pid, SIGINT)
                told = postmaster.pid
            }
            guard MonotonicInstant.now < limit else { throw .late(dataDirectory: directory.path, output: "") }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func makeCluster(_ program: ServerProgram) async throws(EmbeddedPostgresError) {
        let draft = directory.draftPath
        try await ChildProcess.run(["/bin/rm", "-rf", "--", draft], patience: .seconds(60))
        try account.makePrivateDirectory(draft)
        var arguments = [
            program.path("initdb"), "--pgdata=\(draft)", "--username=postgres", "--auth-local=trust",
            "--auth-host=reject", "--encoding=UTF8", "--locale=C.UTF-8",
        ]
        arguments.append(settings.durable ? "--data-checksums" : "--no-sync")
        logger.info("making a PostgreSQL cluster", metadata: ["directory": "\(directory.path)"])
        try await ChildProcess.run(account.command(arguments), patience: .seconds(120))
        // `rename` also works if the target is an empty folder.
        guard rename(draft, directory.path) == 0 else { throw .system(path: directory.path, reason: SystemError.text) }
    }

    private var serverArguments: [String] {
        var values = [
            // The environment may set another port for clients, so both the server and the clients set it. The socket's
            // file name contains the port.
            "port=5432", "listen_addresses=", "unix_socket_directories=\(directory.socketDirectory)",
            "unix_socket_permissions=0700", "max_connections=\(settings.maximumConnections)",
            // Log errors without their details, because details may quote values.
            "log_error_verbosity=terse", "log_min_error_statement=panic",
        ]
        if settings.durable {
            // Write one log file for each day of the week.
            values += [
                "logging_collector=on", "log_directory=log", "log_filename=server-%a.log", "log_rotation_age=1d",
                "log_rotation_size=0", "log_truncate_on_rotation=on",
            ]
        } else {
            values += [
                "fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal",
                "max_wal_senders=0", "shared_buffers=64MB",
            ]
        }
        return ["-D", directory.path] + values.flatMap { ["-c", $0] }
    }
}
