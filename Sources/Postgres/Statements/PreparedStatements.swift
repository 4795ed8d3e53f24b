import Crypto
import Hex

/// The prepared statements of one connection. At the limit, the least recently used one is dropped.
///
/// A statement is recorded only after the server has prepared it. Its name is a hash of its text and types. So the name
/// always refers to the same statement, even if a pooler switches connections.
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
    /// The names of statements that were dropped here but not yet on the server.
    private(set) var discarded: [String] = []
    /// True if the server must drop all its statements before it prepares a new one.
    private(set) var mustDeallocateAll = false

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The name of a prepared statement, or `nil` if it is not prepared.
    mutating func name(for key: Key) -> String? {
        uses &+= 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = uses
        return entries.values[index].name
    }

    /// The name for a new statement.
    static func newName(for key: Key) -> String {
        var hash = SHA256()
        hash.update(data: Array(key.text.utf8))
        for type in key.types {
            withUnsafeBytes(of: type.rawValue.littleEndian) { hash.update(bufferPointer: $0) }
        }
        return "waymark_" + Hexadecimal.encode(hash.finalize().prefix(16))
    }

    /// Records a statement that the server has prepared.
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

    /// Drops a statement whose plan is stale because columns have changed.
    mutating func forget(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        discarded.append(entry.name)
    }

    /// Drops all records, here and on the server. Called if they differ, for example after a pooler switched the
    /// connection to another backend.
    mutating func reset() {
        entries = [:]
        discarded = []
        mustDeallocateAll = true
    }

    /// Records that the server has dropped this statement.
    mutating func dropped(_ name: String) {
        discarded.removeAll { $0 == name }
    }

    /// Records that the server has dropped all statements.
    mutating func droppedAll() {
        mustDeallocateAll = false
    }
}
