import FoundationEssentials
import Glibc

/// A file of keys or credentials, a line each: the first is used, and one more is accepted while they are exchanged.
///
/// It is replaced in one step, so that whoever reads it sees all of it or what was there before, and keeps its owner and
/// its mode. A symbolic link is followed.
struct SecretFile: Sendable {
    /// Why a file could not be read or written, in words without its content.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ operation: String, _ path: String) {
            description = "\(operation) \(path): \(String(cString: strerror(errno)))"
        }
    }

    let path: String

    /// The lines that are not empty, without white space around them; `nil` where there is no file.
    func lines() throws -> [String]? {
        guard access(path, F_OK) == 0 else {
            if errno == ENOENT { return nil }
            throw Failure("cannot read", path)
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw Failure("cannot read", path) }
        return text.split(whereSeparator: \.isNewline)
            .map { String($0.filter { !$0.isWhitespace }) }.filter { !$0.isEmpty }
    }

    /// Makes the file, for its owner alone, unless there is one already.
    func create(_ lines: [String]) throws {
        let temporary = try write(lines, mode: 0o600, owner: nil)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw Failure("cannot make", path) }
    }

    /// Replaces the file's lines, or makes it with the given mode.
    func replace(_ lines: [String], mode: mode_t = 0o600) throws {
        let path = target
        var status = stat()
        let isThere = stat(path, &status) == 0
        let temporary = try write(
            lines, mode: isThere ? status.st_mode & 0o777 : mode, owner: isThere ? (status.st_uid, status.st_gid) : nil)
        guard rename(temporary, path) == 0 else {
            let failure = Failure("cannot replace", path)
            unlink(temporary)
            throw failure
        }
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Writes the lines to a file beside this one, and gives its path.
    private func write(_ lines: [String], mode: mode_t, owner: (user: uid_t, group: gid_t)?) throws -> String {
        let temporary = "\(target).\(getpid()).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("cannot make", temporary) }
        defer { close(descriptor) }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        let isOwned = owner.map { fchown(descriptor, $0.user, $0.group) == 0 } ?? true
        guard isOwned, fchmod(descriptor, mode) == 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            fsync(descriptor) == 0
        else {
            let failure = Failure("cannot write", temporary)
            unlink(temporary)
            throw failure
        }
        return temporary
    }

    /// Where the file really is.
    private var target: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func folder(of path: String) -> String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    }
}

/// Exchanging what such a file holds: add the next one, switch to it, retire the old one. At no step is what is used not
/// accepted. Switching twice goes back.
extension SecretFile {
    /// Why a step cannot be taken, in words.
    private func refusal(_ words: String) -> Refusal { Refusal("\(path) \(words)") }

    /// Puts a second line, which is accepted from now on.
    func add(_ line: String) throws {
        let lines = try existingLines()
        guard lines.count == 1 else { throw refusal("holds two already: `retire` the old one first") }
        try replace(lines + [line])
    }

    /// Makes the second line the first, which is used.
    func switchOver() throws {
        let lines = try existingLines()
        guard lines.count == 2 else { throw refusal("holds no second one to switch to: `add` it first") }
        try replace(lines.reversed())
    }

    /// Takes the second line away, which is accepted no more.
    func retire() throws {
        let lines = try existingLines()
        guard lines.count == 2 else { throw refusal("holds no second one to retire") }
        try replace(Array(lines.prefix(1)))
    }

    private func existingLines() throws -> [String] {
        guard let lines = try lines() else { throw refusal("is not there: the API makes it at its first start") }
        return lines
    }
}
