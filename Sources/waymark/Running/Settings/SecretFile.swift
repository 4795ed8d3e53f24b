import FoundationEssentials
import Glibc

/// A file of keys or credentials, one per line. The first is active. During a rotation, a second one is accepted too.
///
/// Changes replace the file in one step, so readers see either the old or the new content. The file keeps its owner and
/// mode. Symbolic links are followed.
struct SecretFile: Sendable {
    /// The error if the file could not be read or written. It does not contain the file's content.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ operation: String, _ path: String) {
            description = "\(operation) \(path): \(String(cString: strerror(errno)))"
        }
    }

    let path: String

    /// The non-empty lines, without surrounding white space, or `nil` if the file does not exist.
    func lines() throws -> [String]? {
        guard access(path, F_OK) == 0 else {
            if errno == ENOENT { return nil }
            throw Failure("cannot read", path)
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw Failure("cannot read", path) }
        return text.split(whereSeparator: \.isNewline)
            .map { String($0.filter { !$0.isWhitespace }) }.filter { !$0.isEmpty }
    }

    /// The first line, with its white space, or `nil` if the file does not exist or the line is empty. For passwords that
    /// others have chosen.
    func firstLine() throws -> String? {
        guard try lines() != nil, let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.split(whereSeparator: \.isNewline).first.map(String.init)
    }

    /// Creates the file, readable only by its owner. Does nothing if it exists.
    func create(_ lines: [String]) throws {
        let temporary = try write(lines, mode: 0o600, owner: nil)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw Failure("cannot create", path) }
    }

    /// Replaces the file's lines. If the file does not exist, creates it with the given mode.
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

    /// Writes the lines to a temporary file in the same folder and returns its path.
    private func write(_ lines: [String], mode: mode_t, owner: (user: uid_t, group: gid_t)?) throws -> String {
        let temporary = "\(target).\(getpid()).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("cannot create", temporary) }
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

    /// The path of the file, with symbolic links resolved.
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

/// The steps of a rotation: add the next key, switch to it, retire the old key. The key in use is accepted at every
/// step. A second switch makes the old key active again.
extension SecretFile {
    /// The error for a step that is not possible in the current state.
    private func refusal(_ words: String) -> Refusal { Refusal("\(path) \(words)") }

    /// Adds a second line. Its key is accepted from now on.
    func add(_ line: String) throws {
        let lines = try existingLines()
        guard lines.count == 1 else { throw refusal("already has two keys; `retire` the old one first") }
        try replace(lines + [line])
    }

    /// Swaps the lines, so that the second key becomes the active one.
    func switchOver() throws {
        let lines = try existingLines()
        guard lines.count == 2 else { throw refusal("has no second key to switch to; `add` one first") }
        try replace(lines.reversed())
    }

    /// Removes the second line. Its key is no longer accepted.
    func retire() throws {
        let lines = try existingLines()
        guard lines.count == 2 else { throw refusal("has no second key to retire") }
        try replace(Array(lines.prefix(1)))
    }

    private func existingLines() throws -> [String] {
        guard let lines = try lines() else { throw refusal("does not exist; the API creates it when it first starts") }
        return lines
    }
}
