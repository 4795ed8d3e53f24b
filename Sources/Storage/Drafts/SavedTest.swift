public import AASA
public import FoundationEssentials
import Postgres

/// A saved test of a domain.
public struct SavedTest: Hashable, Sendable {
    /// The test's ID.
    public let id: ID<SavedTest>
    /// The revision. It increases by one with every change.
    public let revision: Int
    /// The URL and its expected result.
    public internal(set) var test: LinkTest
    /// The creation time.
    public let createdAt: Date
    /// The time of the last change.
    public let updatedAt: Date

    /// Its position among the domain's tests, in order of creation.
    let position: Int

    init(row: Row) throws {
        id = try row.id("id")
        revision = try row.decode("revision", as: Int.self)
        test = LinkTest(
            url: try row.decode("url", as: String.self), expected: try row.expectation(),
            os: try row.optional("os") { SystemVersion(rawValue: $0) }, note: try row.decode("note", as: String.self))
        createdAt = try row.decode("created_at", as: Date.self)
        updatedAt = try row.decode("updated_at", as: Date.self)
        position = try row.decode("position", as: Int.self)
    }

    static let columns: SQL = """
        id, revision, url, outcome, app_id, os, note, created_at, updated_at, position
        """
}

extension Row {
    fileprivate func expectation() throws -> LinkTest.Expectation {
        switch try value("outcome", Evaluation.Outcome.init(rawValue:)) {
        case .opens: .opens(try value("app_id") { try AppID($0) })
        case .excluded: .excluded
        case .none: .none
        }
    }
}
