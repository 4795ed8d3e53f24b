public import AASA
public import FoundationEssentials
import Postgres
import StrictJSON

/// An Apple developer team.
public struct Team: Hashable, Sendable {
    /// Apple's 10-character Team ID.
    public let teamID: TeamID
    /// The organization's name for the team, at most 200 characters.
    public var name: String
    /// The registration time.
    public let createdAt: Date

    init(row: Row) throws {
        teamID = try row.value("team_id") { try TeamID($0) }
        name = try row.decode("name", as: String.self)
        createdAt = try row.decode("created_at", as: Date.self)
    }
}

extension Lookup where Value == Team? {
    /// The team with this Team ID, or `nil` if it is not registered.
    public static func team(_ id: TeamID) -> Self {
        Lookup { organization in
            """
            select team_id, name, created_at
            from teams
            where organization_id = \(organization.uuid) and team_id = \(id.description)
            """
        } decode: { rows in
            try rows.first.map(Team.init(row:))
        }
    }
}

extension TenantTransaction {
    /// The organization's teams by Team ID.
    public func teams(_ page: Page) throws -> Listing<Team> {
        return try list(page, key: \.teamID.description, reading: { try $0.map(Team.init(row:)) }) { page in
            """
            select team_id, name, created_at
            from teams
            where organization_id = \(organization.uuid) and team_id > \(page.after ?? "")
            order by team_id
            limit \(page.rowsToRead)
            """
        }
    }

    /// The team with this Team ID, or `nil` if it is not registered.
    public func team(_ id: TeamID) throws -> Team? { try read(.team(id)) }

    /// Registers a team. Throws `exists` if its Team ID is taken.
    public func createTeam(_ id: TeamID, name: String) throws -> Team {
        let row = try database.only(
            """
            insert into teams (organization_id, team_id, name)
            values (\(organization.uuid), \(id.description), \(name))
            returning team_id, name, created_at
            """)
        try audit(.teamCreated, id.description, ["name": .string(name)])
        return try Team(row: row)
    }

    /// Changes a team's name.
    public func renameTeam(_ id: TeamID, name: String) throws -> Team {
        let row = try database.first(
            """
            update teams set name = \(name)
            from (
              select name as old_name from teams
              where organization_id = \(organization.uuid) and team_id = \(id.description)
              for update
            ) as old
            where organization_id = \(organization.uuid) and team_id = \(id.description)
            returning team_id, name, created_at, old_name
            """)
        guard let row else { throw StorageError.notFound(kind: "team", key: id.description) }
        let old: JSONValue = ["name": .string(try row.decode("old_name", as: String.self))]
        try audit(.teamChanged, id.description, (["name": .string(name)] as JSONValue).replacing(old))
        return try Team(row: row)
    }

    /// Removes a team. Throws `inUse` while it has apps.
    public func deleteTeam(_ id: TeamID) throws {
        guard
            try database.first(
                """
                select team_id from teams
                where organization_id = \(organization.uuid) and team_id = \(id.description)
                for update
                """) != nil
        else { throw StorageError.notFound(kind: "team", key: id.description) }
        let apps = try database.query(
            """
            select app_id, count(*) over () as total from apps
            where organization_id = \(organization.uuid) and team_id = \(id.description)
            order by app_id
            limit 100
            """)
        guard apps.isEmpty else {
            throw StorageError.inUse(
                kind: "team", usedBy: try apps.map { try $0.decode("app_id", as: String.self) },
                total: try apps[0].decode("total", as: Int.self))
        }
        try database.execute(
            "delete from teams where organization_id = \(organization.uuid) and team_id = \(id.description)")
        try audit(.teamDeleted, id.description)
    }
}
