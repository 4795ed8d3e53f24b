import AASA
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Storage
import StrictJSON

/// A request as the handlers see it: read whole, nothing decoded yet.
struct Call: Sendable {
    let request: HTTPRequest
    let uri: URI
    let parameters: Parameters
    let body: [UInt8]
    /// What the body has taken of the budget, for as long as the call is worked on.
    let room: BodyBudget.Room?
    /// For whom the request is worked on.
    let claimant: Claimant
    let places: WorkPlaces
    /// The address of the peer, for the log.
    let peer: String

    /// Leaves the place at which the request is worked on to others while `body` waits for something to happen.
    func stepAside(_ body: () async throws -> Void) async throws {
        try await places.stepAside(from: claimant, body)
    }

    /// A parameter of the path, decoded. The route table guarantees that it is there.
    func path(_ name: String) -> String { (parameters.get(name) ?? "").percentDecoded }

    /// The host in the path, in ASCII or Unicode. A name that cannot be a host names nothing.
    func host() throws -> Host {
        guard let host = try? Host(typed: path("host")) else {
            throw APIError.notFound("domain", path("host"))
        }
        return host
    }

    /// The first query parameter of a name, decoded; `nil` when absent. A `+` is a space, as forms write it
    /// (https://url.spec.whatwg.org/#concept-urlencoded-parser).
    func query(_ name: String) -> String? {
        guard let query = uri.query, query.utf8.contains(UInt8(ascii: "+")) else {
            return uri.queryParameters[Substring(name)].map(String.init)
        }
        return URI("/?" + query.replacing("+", with: "%20")).queryParameters[Substring(name)].map(String.init)
    }

    /// All query parameters of a name, decoded.
    func queries(_ name: String) -> [String] { uri.queryParameters[values: Substring(name)].map(String.init) }

    /// A query parameter that is a whole number within bounds.
    func query(_ name: String, in bounds: ClosedRange<Int>, default fallback: Int) throws -> Int {
        guard let text = query(name) else { return fallback }
        guard let value = Int(text), bounds.contains(value) else {
            throw APIError.invalidParameter(
                name, "has to be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return value
    }

    /// A query parameter that is `true` or `false`; absent is false.
    func flag(_ name: String) throws -> Bool {
        switch query(name) {
        case nil, "false": return false
        case "true": return true
        default: throw APIError.invalidParameter(name, "has to be true or false")
        }
    }

    /// The host that a list is narrowed to by `host`, in ASCII or Unicode; `nil` when absent.
    func hostFilter() throws -> Host? {
        guard let text = query("host") else { return nil }
        guard let host = try? Host(typed: text) else { throw APIError.invalidParameter("host", "has to be a host") }
        return host
    }

    /// A query parameter that is a time to the second; `nil` when absent.
    func moment(_ name: String) throws -> Date? {
        guard let text = query(name) else { return nil }
        do {
            return try Date(rfc3339: text)
        } catch {
            throw APIError.invalidParameter(name, error.detail)
        }
    }

    /// The list that is asked for, in whatever way its path is written; cursors are of one list.
    private var list: String { uri.path.percentDecoded.lowercased() }

    /// A page of the list that is asked for; `next` is the key to go on from.
    func list(_ items: [JSONValue], next: String?) -> Answer {
        .list(items, next: next.map { Cursor.text(of: $0, in: list) })
    }

    /// The page asked for by `limit` and `cursor`.
    func page() throws -> Page { try page(of: list) }

    /// The page asked for, where cursors are of a list, or bear no mark of one.
    func page(of list: String?) throws -> Page {
        let limit = try query(
            "limit", in: Page.limits, default: Page.usualLimit)
        guard let cursor = query("cursor") else { return Page(limit: limit) }
        guard let key = Cursor.key(of: cursor, in: list) else { throw APIError.foreignCursor }
        return Page(limit: limit, after: key)
    }

    /// The body as JSON; of another media type, it is refused.
    func json() throws -> JSONValue {
        try MediaType.require(MediaType.json, of: request)
        do {
            return try JSONValue(parsing: body, limits: JSONLimits(bytes: body.count))
        } catch {
            throw APIError.malformedJSON(error)
        }
    }

    /// The body, an object read strictly: every fault is named at once.
    func decode<Value>(_ read: @escaping (JSONObjectReader) -> Value?) throws -> Value {
        try JSONObjectReader.decode(json(), read)
    }
}

/// Where a list goes on: the sort key of the last item behind a mark of the list, made opaque so that nobody builds on its
/// form.
enum Cursor {
    /// - Parameter list: the list's path; `nil` for a cursor without a mark.
    static func text(of key: String, in list: String? = nil) -> String {
        Data((mark(of: list) + key).utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// `nil` for what is no cursor of that list.
    static func key(of text: String, in list: String? = nil) -> String? {
        guard text.utf8.count <= 1_024 else { return nil }
        let padded = text.replacing("-", with: "+").replacing("_", with: "/")
        let missing = (4 - padded.utf8.count % 4) % 4
        guard let data = Data(base64Encoded: padded + String(repeating: "=", count: missing)) else { return nil }
        let mark = mark(of: list)
        guard let marked = String(validating: data, as: UTF8.self), marked.hasPrefix(mark) else { return nil }
        let key = String(marked.dropFirst(mark.count))
        return !key.utf8.contains(0) && Cursor.text(of: key, in: list) == text ? key : nil
    }

    /// Eight digits of the list's FNV-1a hash (draft-eastlake-fnv), enough to tell one from another by mistake.
    private static func mark(of list: String?) -> String {
        guard let list else { return "" }
        let hash = list.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
