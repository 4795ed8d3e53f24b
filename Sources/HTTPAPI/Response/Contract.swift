import FoundationEssentials
import StrictJSON

/// The API's contract, an OpenAPI 3.1 document that `GET /v1/openapi.json` returns. It is assembled from the files in a
/// folder.
///
/// `openapi.json` is the document without its parts. Each other file is an object whose members belong to one part. The
/// file's name or its outermost folder names the part: `paths/drafts/rules.json` belongs to `paths`,
/// `schemas/drafts/rules.json` to `components.schemas`, `responses.json` to `components.responses`. The contract's
/// folder is next to `public/`, not inside it, so that its files are not served as pages.
struct Contract: Sendable {
    /// The error for a contract file that cannot be used. It contains the position of the fault.
    struct Invalid: Error, CustomStringConvertible {
        let path: String
        var position: JSONPosition?
        let reason: String

        var description: String {
            "the API's contract cannot be loaded: \(path)\(position.map { ":\($0)" } ?? ""): \(reason)"
        }
    }

    /// The whole document.
    let document: JSONValue

    /// The right that each operation needs, by its ID: `anyone`, `caller`, `consumer`, or the lowest role.
    var rights: [String: String] {
        let operations = (document["paths"]?.object?.members ?? []).flatMap { $0.value.object?.members ?? [] }
        return operations.reduce(into: [:]) { rights, operation in
            guard let id = operation.value["operationId"]?.string else { return }
            rights[id] = operation.value["x-right"]?.string
        }
    }

    private static let mainFile = "openapi.json"
    /// The parts of `components` (OpenAPI 3.1, section 4.8.7).
    private static let components = [
        "schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes", "links",
        "callbacks", "pathItems",
    ]

    /// Reads a folder and assembles the document.
    /// - Throws: ``Invalid`` if a file cannot be read, is not a JSON object, does not belong to a part of the document,
    ///   or has a member that another file of the same part also has.
    init(directory: String) throws {
        let folder = URL(filePath: directory).resolvingSymlinksInPath().path(percentEncoded: false)
        guard let files = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
            throw Invalid(path: directory, reason: "the folder cannot be read")
        }
        var document = try Self.object(in: folder + "/" + Self.mainFile)
        var components = document["components"]?.object ?? JSONObject()
        var paths = document["paths"]?.object ?? JSONObject()
        for file in files.sorted() where file.hasSuffix(".json") && file != Self.mainFile {
            let path = folder + "/" + file
            let part = String(file.prefix { $0 != "/" && $0 != "." })
            let members = try Self.object(in: path)
            if part == "paths" {
                try Self.add(members, of: path, to: &paths)
            } else if Self.components.contains(part) {
                var component = components[part]?.object ?? JSONObject()
                try Self.add(members, of: path, to: &component)
                components[part] = .object(component)
            } else {
                throw Invalid(path: path, reason: "an OpenAPI document has no part named \"\(part)\"")
            }
        }
        document["paths"] = .object(paths)
        document["components"] = .object(components)
        self.document = .object(document)
    }

    private static func object(in path: String) throws -> JSONObject {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Invalid(path: path, reason: "the file cannot be read")
        }
        do {
            guard let object = try JSONValue(parsing: Array(data)).object else {
                throw Invalid(path: path, reason: "the file must hold a JSON object")
            }
            return object
        } catch let error as JSONError {
            throw Invalid(path: path, position: error.position, reason: error.message)
        }
    }

    private static func add(_ members: JSONObject, of path: String, to part: inout JSONObject) throws {
        for member in members.members where !part.insert(member.name, member.value) {
            // Find the position only now, because finding it takes as long as parsing the file.
            let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
            let position = (try? JSONDocument(parsing: bytes))?.keyPosition(of: JSONPointer(tokens: [member.name]))
            throw Invalid(path: path, position: position, reason: "\"\(member.name)\" is already in another file")
        }
    }
}
