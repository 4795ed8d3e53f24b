import Foundation
import Testing

@testable import Postgres

@Suite("A statement") struct SQLTests {
    @Test("every interpolation becomes a numbered parameter")
    func parameters() {
        let name = "o'brien"
        let statement: SQL = "select \(1), \(name) where \(true)"
        #expect(statement.text == "select $1, $2 where $3")
        #expect(statement.parameters.map(\.type) == [.int8, .text, .bool])
        #expect(statement.parameters.map(\.encoding) == [.text("1"), .text("o'brien"), .text("t")])
    }

    @Test("the description never shows values")
    func description() {
        let secret = "s3cret"
        let statement: SQL = "select \(secret)"
        #expect(!"\(statement)".contains(secret))
    }

    @Test("fragments are inserted and their parameters renumbered, even if a literal contains a dollar")
    func fragments() {
        let fragment: SQL = "a = \(1) and b <> '$1' and c = \(2)"
        let statement: SQL =
            "select from t where x = \("x") and (\(fragment: fragment)) or \(fragment: fragment) limit \(3)"
        #expect(
            statement.text
                == "select from t where x = $1 and (a = $2 and b <> '$1' and c = $3) or a = $4 and b <> '$1' and c = $5 limit $6"
        )
        #expect(statement.parameters.count == 6)
    }

    @Test("identifiers are quoted, whatever they contain")
    func identifiers() {
        let name = "a\"; drop table t; --"
        let statement: SQL = "select from \(identifier: name)"
        #expect(statement.text == #"select from "a""; drop table t; --""#)
        #expect(statement.failure == nil)
    }

    @Test("an identifier that is empty or contains a NUL is refused", arguments: ["", "a\0b"])
    func badIdentifier(
        name: String
    ) {
        let statement: SQL = "select from \(identifier: name)"
        #expect(statement.failure?.kind == .encoding)
    }

    @Test("a string with a NUL is refused, alone, in an optional, in an array and in a fragment")
    func nul() {
        let bad = "a\0b"
        let optional: String? = bad
        let fragment: SQL = "\(bad)"
        let statements: [SQL] = [
            "select \(bad)", "select \(optional)", "select \([bad])", "select \(fragment: fragment)",
        ]
        for statement in statements { #expect(statement.failure?.kind == .encoding) }
        #expect(statements.allSatisfy { $0.failure?.description.contains("a\0b") == false })
    }

    @Test("a null keeps its type")
    func null() {
        let none: UUID? = nil
        let statement: SQL = "select \(none)"
        #expect(statement.parameters.first?.type == .uuid)
        #expect(statement.parameters.first?.encoding == .null)
    }

    @Test("more parameters than the protocol allows are refused")
    func tooMany() {
        var statement: SQL = ""
        for number in 0..<65_535 { statement.append(value: number) }
        #expect(statement.failure == nil)
        statement.append(value: 1)
        #expect(statement.failure?.kind == .encoding)
    }
}
