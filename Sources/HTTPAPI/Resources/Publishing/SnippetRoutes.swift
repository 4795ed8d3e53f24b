import AASA
import Publishing
import Storage
import StrictJSON

/// `/v1/domains/{host}/snippets`: configuration with which another web server forwards the two paths to the edge.
extension API {
    func listSnippets(_ call: Call, _ member: Member) async throws -> Answer {
        let snippets = try await snippets(call, member)
        return .list(ServerSnippets.Kind.allCases.map { snippets.json(of: $0) })
    }

    func showSnippet(_ call: Call, _ member: Member) async throws -> Answer {
        let snippets = try await snippets(call, member)
        let name = call.path("kind")
        guard let kind = ServerSnippets.Kind(rawValue: name) else { throw APIError.notFound("snippet", name) }
        return .json(snippets.json(of: kind))
    }

    private func snippets(_ call: Call, _ member: Member) async throws -> ServerSnippets {
        let host = try call.host()
        let domain = try await read(as: member, .domain(host))
        return ServerSnippets(of: domain.host, to: settings.edgePublicURL, isLive: domain.live != nil)
    }
}

extension ServerSnippets {
    fileprivate func json(of kind: Kind) -> JSONValue {
        let snippet = snippet(for: kind)
        return [
            "kind": .string(kind.rawValue), "name": .string(snippet.name), "host": .string(host.description),
            "edgeURL": isEdgeUnknown ? .null : .string(edge.description), "place": .string(snippet.place),
            "text": .string(snippet.text), "notes": .array(snippet.notes.map(JSONValue.string)),
            "check": .string(snippet.check),
        ]
    }
}
