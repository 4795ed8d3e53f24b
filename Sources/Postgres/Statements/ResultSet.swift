import CLibPQ
import Glibc

/// The result of a statement. It owns libpq's result, which never changes, so any thread can read it.
final class ResultSet: @unchecked Sendable {
    private let result: OpaquePointer
    let rowCount: Int
    let columnCount: Int

    /// Takes ownership of the result.
    init(owning result: OpaquePointer) {
        self.result = result
        rowCount = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
    }

    deinit {
        PQclear(result)
    }

    var status: ExecStatusType { PQresultStatus(result) }

    /// The command's tag, such as `INSERT 0 1`, `COMMIT` or `ROLLBACK`.
    var commandTag: String { String(cString: PQcmdStatus(result)) }

    /// The number of rows inserted, updated, deleted or selected.
    var affectedRows: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// All rows.
    var rows: [Row] { (0..<rowCount).map { Row(set: self, index: $0) } }

    /// The index of the first column with this name.
    func column(named name: String) -> Int? {
        name.withCString { wanted in
            (0..<columnCount).first { column in
                PQfname(result, Int32(column)).map { strcmp($0, wanted) == 0 } ?? false
            }
        }
    }

    func name(ofColumn column: Int) -> String? {
        PQfname(result, Int32(column)).map { String(cString: $0) }
    }

    /// The value's bytes as text, or `nil` if it is null. The row and the column must exist.
    func bytes(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, Int32(row), Int32(column)) == 0,
            let value = PQgetvalue(result, Int32(row), Int32(column))
        else { return nil }
        return UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }

    /// The server's error, or `nil` if the statement succeeded.
    var error: ServerError? {
        guard status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE else { return nil }
        var error = ServerError(
            sqlState: field(Field.sqlState) ?? "XX000", message: field(Field.primaryMessage) ?? "unknown error",
            constraint: field(Field.constraint), table: field(Field.table), column: field(Field.column),
            detail: field(Field.detail))
        error.routine = field(Field.routine)
        return error
    }

    private func field(_ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }

    /// Values of `postgres_ext.h` (`PG_DIAG_…`), which Swift does not import.
    private enum Field {
        static let sqlState: Unicode.Scalar = "C"
        static let primaryMessage: Unicode.Scalar = "M"
        static let detail: Unicode.Scalar = "D"
        static let table: Unicode.Scalar = "t"
        static let column: Unicode.Scalar = "c"
        static let constraint: Unicode.Scalar = "n"
        static let routine: Unicode.Scalar = "R"
    }
}
