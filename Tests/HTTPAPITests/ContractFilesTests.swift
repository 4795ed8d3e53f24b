import Foundation
import StrictJSON
import Testing

@testable import HTTPAPI

@Suite("Contract files")
struct ContractFilesTests {
    /// The contract in a folder that is removed afterwards.
    private func contract(_ files: [String: String]) throws -> JSONValue {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-contract-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try Contract(directory: folder.path(percentEncoded: false)).document
    }

    @Test("each file's members join the part of the document that its name or outermost folder names")
    func parts() throws {
        let document = try contract([
            "openapi.json": #"{"openapi": "3.1.0", "components": {"securitySchemes": {"token": {}}}}"#,
            "paths/b.json": #"{"/b": {}}"#, "paths/a.json": #"{"/a": {}, "/aa": {}}"#,
            "schemas/a.json": #"{"A": {}}"#, "schemas/drafts/b.json": #"{"B": {}}"#, "responses.json": #"{"Gone": {}}"#,
            "README.md": "not a part",
        ])
        let expected: JSONValue = [
            "openapi": "3.1.0",
            "components": [
                "securitySchemes": ["token": [:]], "responses": ["Gone": [:]], "schemas": ["A": [:], "B": [:]],
            ],
            "paths": ["/a": [:], "/aa": [:], "/b": [:]],
        ]
        #expect(document == expected)
    }

    @Test(
        "an error names the file, the place in it and the reason",
        arguments: [
            (["paths/a.json": "{\n  \"/a\": {},\n}"], "/paths/a.json:3:1: "),
            (["paths/a.json": "[]"], "/paths/a.json: the file must hold a JSON object"),
            (["pahts/a.json": "{}"], "/pahts/a.json: an OpenAPI document has no part named \"pahts\""),
            (
                ["schemas/a.json": #"{"A": {}}"#, "schemas/b.json": "{\n  \"B\": {},\n  \"A\": {}\n}"],
                "/schemas/b.json:3:3: \"A\" is already in another file"
            ),
        ])
    func faults(files: [String: String], message: String) throws {
        let error = #expect(throws: Contract.Invalid.self) {
            try contract(files.merging(["openapi.json": "{}"]) { own, _ in own })
        }
        #expect(try #require(error).description.contains(message), "\(String(describing: error))")
    }

    @Test("a missing folder or a missing openapi.json is an error when the service starts")
    func missing() throws {
        #expect(throws: Contract.Invalid.self) { try Contract(directory: "/nowhere/contract") }
        let error = #expect(throws: Contract.Invalid.self) { try contract(["paths/a.json": "{}"]) }
        #expect(try #require(error).description.hasSuffix("/openapi.json: the file cannot be read"))
    }
}
