import AASA
import Storage
import StrictJSON

/// `/v1/teams`: the organization's Apple developer teams.
extension API {
    func listTeams(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let teams = try await read(as: member) { try $0.teams(page) }
        return call.list(teams, \.json)
    }

    func createTeam(_ call: Call, _ member: Member) async throws -> Answer {
        let new = try call.decode(NewTeam.init(reader:))
        let team = try await unlessTaken(member) {
            try await write(as: member) {
                try $0.createTeam(new.id, name: new.name)
            }
        } existing: { _ in
            "/v1/teams/\(new.id)"
        }
        return .created(team.json, at: "/v1/teams/\(team.teamID)")
    }

    func showTeam(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.teamID()
        guard let team = try await read(as: member, .team(id)) else {
            throw APIError.notFound("team", id.description)
        }
        return .json(team.json)
    }

    func changeTeam(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.teamID()
        let name = try call.decode { .some($0.replacement("name", .name)) }
        let team = try await write(as: member) { tenant in
            guard let team = try tenant.team(id) else { throw APIError.notFound("team", id.description) }
            return try tenant.renameTeam(id, name: name ?? team.name)
        }
        return .json(team.json)
    }

    func deleteTeam(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.teamID()
        try await write(as: member) { try $0.deleteTeam(id) }
        return .noContent
    }
}

/// A team to register.
struct NewTeam: Sendable {
    let id: TeamID
    let name: String

    init?(reader: JSONObjectReader) {
        let id = reader.required("teamID", .text(as: TeamID.init))
        let name = reader.required("name", .name)
        guard let id, let name else { return nil }
        (self.id, self.name) = (id, name)
    }
}

extension Team {
    var json: JSONValue {
        ["teamID": .string(teamID.description), "name": .string(name), "createdAt": .time(createdAt)]
    }
}

extension Call {
    fileprivate func teamID() throws -> TeamID {
        guard let id = try? TeamID(path("teamID")) else { throw APIError.notFound("team", path("teamID")) }
        return id
    }
}
