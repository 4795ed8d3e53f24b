import AASA
import HTTPTypes
import Hex
import Publishing
import Storage
import StrictJSON

/// `/v1/domains/{host}/versions`: immutable, numbered files.
extension API {
    func listVersions(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let page = try call.page()
        let versions = try await read(as: member) { try $0.versions(host, page) }
        return call.list(versions, \.json)
    }

    func createVersion(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let revision = try Preconditions.revision(call.request)
        let message = try call.decode { $0.optional("message", .remark, default: "") }
        let version = try await publisher.freeze(
            host, expectedRevision: revision, message: message, as: member.organization.id, by: member.author)
        return .created(version.wholeJSON, at: "/v1/domains/\(host)/versions/\(version.number)")
    }

    func showVersion(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let number = try call.versionNumber()
        return .json(try await read(as: member) { try $0.version(number, of: host) }.wholeJSON)
    }

    func showVersionFile(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let number = try call.versionNumber()
        let file = try await read(as: member) { try $0.file(ofVersion: number, of: host) }
        let tag = "\"\(Hexadecimal.encode(digest(file)))\""
        let fresh =
            Preconditions.isKnown(tag, call.request)
            ? Answer(.notModified) : Answer(.ok, fields: [.contentType: "application/json"], body: file)
        return fresh.with(.eTag, tag).with(.cacheControl, "private, max-age=31536000, immutable")
    }
}

extension Version {
    var json: JSONValue {
        [
            "version": .int(number), "sha256": .string(Hexadecimal.encode(sha256)), "size": .int(size),
            "message": .string(message), "author": author.json, "createdAt": .time(createdAt),
            "draftRevision": .int(draftRevision), "findings": report["findings"] ?? [], "report": report,
            "live": .bool(isLive),
        ]
    }

    /// The version as JSON, with the results of all tests, which lists omit.
    var wholeJSON: JSONValue {
        var object = json.object ?? JSONObject()
        object["testResults"] = testResults ?? .null
        return .object(object)
    }
}

extension Author {
    var json: JSONValue { ["kind": .string(kind.rawValue), "name": .string(name)] }
}

extension Call {
    /// The version number in the path.
    func versionNumber() throws -> Int {
        guard let number = Int32(path("number")), number >= 1 else {
            throw APIError.notFound("version", path("number"))
        }
        return Int(number)
    }
}
