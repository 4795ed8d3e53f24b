import Crypto
import Hex

/// The statements that one connection keeps prepared, the least recently used given up first.
///
/// A statement is remembered when the server has said that preparing it succeeded, never before. Its name is made from
/// its text and types: behind a pooler, where connections change hands, a name then never means another statement.
struct PreparedStatements {
    struct Key: Hashable {
        let text: String
        let types: [PostgresType]
    }

    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    let limit: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    /// Names of statements that were given up and that the server still has.
    private(set) var discarded: [String] = []
    /// Whether the server must forget all that it has before anything is prepared.
    private(set) var mustDeallocateAll = false

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The name under which the statement is prepared.
    mutating func name(for key: Key) -> String? {
        uses &+= 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = uses
        return entries.values[index].name
    }

    /// The name under which to prepare the statement.
    static func newName(for key: Key) -> String {
        var hash = SHA256()
        hash.update(data: Array(key.text.utf8))
        for type in key.types {
            withUnsafeBytes(of: type.rawValue.littleEndian) { hash.update(bufferPointer: $0) }
        }
        return "waymark_" + Hexadecimal.encode(hash.finalize().prefix(16))
    }

    /// Remembers a statement that the server has prepared.
    mutating func remember(_ key: Key, as name: String) {
        discarded.removeAll { $0 == name }
        uses &+= 1
        entries[key] = Entry(name: name, lastUse: uses)
        guard entries.count > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return
        }
        entries[oldest.key] = nil
        discarded.append(oldest.value.name)
    }

    /// Gives a statement up that was planned for columns that have changed since.
    mutating func forget(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        discarded.append(entry.name)
    }

    /// The server's list and ours have parted, as when a pooler has given us another backend: both begin anew.
    mutating func reset() {
        entries = [:]
        discarded = []
        mustDeallocateAll = true
    }

    /// The server no longer has this one.
    mutating func dropped(_ name: String) {
        discarded.removeAll { $0 == name }
    }

    /// The server no longer has any.
    mutating func droppedAll() {
        mustDeallocateAll = false
    }
}
