import HTTPTypes
import StrictJSON

/// A handler's response.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: [UInt8]
    /// True if the body contains a secret that must not be stored.
    var holdsSecret = false

    init(_ status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A response with JSON. Caches must not store it, because most of this JSON requires a credential.
    static func json(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Answer {
        json(bytes: value.bytes(), status)
    }

    /// A response with JSON that is already encoded.
    static func json(bytes: [UInt8], _ status: HTTPResponse.Status = .ok) -> Answer {
        Answer(status, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: bytes)
    }

    /// A response for a new item, with the item's path.
    static func created(_ value: JSONValue, at path: String) -> Answer {
        json(value, .created).with(.location, path)
    }

    /// A list, or a page of it. `next` is the cursor of the next page. `more` contains additional members.
    static func list(_ items: [JSONValue], next: String? = nil, more: JSONObject = [:]) -> Answer {
        var object: JSONObject = ["items": .array(items), "next": .text(next)]
        for member in more.members { object[member.name] = member.value }
        return json(.object(object))
    }

    static let noContent = Answer(.noContent, fields: [.cacheControl: "no-store"])

    /// The same response, marked as one with a secret.
    var withSecret: Answer {
        var copy = self
        copy.holdsSecret = true
        return copy
    }

    func with(_ name: HTTPField.Name, _ value: String) -> Answer {
        var copy = self
        copy.fields[name] = value
        return copy
    }

    /// Adds the draft's revision as the ETag.
    func tagged(_ revision: Int) -> Answer {
        with(.eTag, Preconditions.tag(revision)).with(.cacheControl, "private, no-cache")
    }
}
