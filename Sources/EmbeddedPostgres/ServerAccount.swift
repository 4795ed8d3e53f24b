import Glibc

/// The user that runs the server. PostgreSQL refuses to run as root, so root starts it as an unprivileged user.
struct ServerAccount: Sendable, Hashable {
    let name: String
    let user: uid_t
    let group: gid_t
    /// True if this is not the user of this process.
    let isOther: Bool

    /// The user of this process. If that is root, the named user.
    static func current(insteadOfRoot name: String) throws(EmbeddedPostgresError) -> ServerAccount {
        guard geteuid() == 0 else {
            return ServerAccount(name: "", user: geteuid(), group: getegid(), isOther: false)
        }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil, entry.pw_uid != 0 else {
            throw .noSuchUser(name)
        }
        return ServerAccount(name: name, user: entry.pw_uid, group: entry.pw_gid, isOther: true)
    }

    /// The arguments that run a program as this user.
    func command(_ arguments: [String]) -> [String] {
        guard isOther else { return arguments }
        return ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--init-groups"] + arguments
    }

    /// Creates a folder with its parents. Only this account can access the folder.
    ///
    /// - Throws: `.system`. This includes an existing folder that belongs to another user, who may have created it in a
    ///   public folder such as `/tmp`.
    func makePrivateDirectory(_ path: String) throws(EmbeddedPostgresError) {
        var parent = ""
        for part in path.split(separator: "/").dropLast() {
            parent += "/" + part
            if mkdir(parent, 0o755) != 0, errno != EEXIST { throw .system(path: parent, reason: SystemError.text) }
        }
        if mkdir(path, 0o700) == 0 {
            guard !isOther || chown(path, user, group) == 0 else { throw .system(path: path, reason: SystemError.text) }
            return
        }
        guard errno == EEXIST else { throw .system(path: path, reason: SystemError.text) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .system(path: path, reason: "is not a folder")
        }
        if isOther, status.st_uid == 0, chown(path, user, group) == 0 { status.st_uid = user }
        guard status.st_uid == user else { throw .system(path: path, reason: "belongs to another user") }
        if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { throw .system(path: path, reason: SystemError.text) }
    }
}

/// The system's error message for the last failed call.
enum SystemError {
    static var text: String { String(cString: strerror(errno)) }
}
