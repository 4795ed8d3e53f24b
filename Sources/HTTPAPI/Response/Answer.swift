import HTTPTypes
import StrictJSON

/// What a handler answers.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: [UInt8]

    init(_ status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// JSON. What is behind a sign-in is never kept by a cache.
    static func json(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Answer {
        json(bytes: value.bytes(), status)
    }

    /// JSON that has been written already.
    static func json(bytes: [UInt8], _ status: HTTPResponse.Status = .ok) -> Answer {
        Answer(status, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: bytes)
    }

    /// Something made, at a path of its own.
    static func created(_ value: JSONValue, at path: String) -> Answer {
        json(value, .created).with(.location, path)
    }

    /// A list, or a page of one; `next` is the cursor to go on with.
    static func list(_ items: [JSONValue], next: String? = nil) -> Answer {
        json(["items": .array(items), "next": .text(next)])
    }

    static let noContent = Answer(.noContent, fields: [.cacheControl: "no-store"])

    func with(_ name: HTTPField.Name, _ value: String) -> Answer {
        var copy = self
        copy.fields[name] = value
        return copy
    }

    /// With the draft's revision as its ETag.
    func tagged(_ revision: Int) -> Answer {
        with(.eTag, Preconditions.tag(revision)).with(.cacheControl, "private, no-cache")
    }
}
