import AASA
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Storage
import StrictJSON

/// A request as handlers receive it: completely read, but with an undecoded body.
struct Call: Sendable {
    let request: HTTPRequest
    let uri: URI
    let parameters: Parameters
    let body: [UInt8]
    /// The part of the body budget that this body uses. It is free again when the call ends.
    let room: BodyBudget.Room?
    /// The owner and the caller whose shares of the slots this request uses.
    let claimant: Claimant
    let concurrency: ConcurrencyLimit
    /// The client's network, if the route is costly (``Route/isCostly``).
    let network: UUID
    /// The client's address. Empty if the request only reads.
    let address = RequestOrigin.current?.address ?? ""

    /// Gives up this request's slot while `body` waits for an event.
    func stepAside(_ body: () async throws -> Void) async throws {
        try await concurrency.stepAside(from: claimant, body)
    }

    /// A decoded parameter of the path. It exists in every path of the route.
    func path(_ name: String) -> String { (parameters.get(name) ?? "").percentDecoded }

    /// The host in the path, in ASCII or Unicode. An invalid host returns 404, as an unknown one does.
    func host() throws -> Host {
        guard let host = try? Host(typed: path("host")) else {
            throw APIError.notFound("domain", path("host"))
        }
        return host
    }

    /// An ID in the path. An invalid ID returns 404, as an unknown one does.
    ///
    /// - Parameter kind: The kind of item, for the error message.
    func id<Kind>(_ kind: String, at parameter: String = "id") throws -> ID<Kind> {
        guard let id = ID<Kind>(path(parameter)) else { throw APIError.notFound(kind, path(parameter)) }
        return id
    }

    /// The first query parameter with this name, decoded, or `nil` if absent. A `+` means a space, as in forms
    /// (https://url.spec.whatwg.org/#concept-urlencoded-parser).
    func query(_ name: String) -> String? {
        guard let query = uri.query else { return nil }
        guard query.utf8.contains(UInt8(ascii: "+")) else {
            return uri.queryParameters[Substring(name)].map(String.init)
        }
        return URI("/?" + query.replacing("+", with: "%20")).queryParameters[Substring(name)].map(String.init)
    }

    /// All query parameters with this name, decoded.
    func queries(_ name: String) -> [String] { uri.queryParameters[values: Substring(name)].map(String.init) }

    /// A query parameter that is a whole number within bounds, or the default if absent.
    func query(_ name: String, in bounds: ClosedRange<Int>, default fallback: Int) throws -> Int {
        guard let text = query(name) else { return fallback }
        guard let value = Int(text), bounds.contains(value) else {
            throw APIError.invalidParameter(
                name, "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return value
    }

    /// A query parameter that is `true` or `false`. False if absent.
    func flag(_ name: String) throws -> Bool {
        switch query(name) {
        case nil, "false": return false
        case "true": return true
        default: throw APIError.invalidParameter(name, "must be true or false")
        }
    }

    /// The origin of the request, with the reason in the query parameter `reason`.
    func originWithReason() throws -> RequestOrigin? {
        var origin = RequestOrigin.current
        guard let reason = query(Route.reason) else { return origin }
        if let control = ControlCharacter(in: reason) { throw APIError.invalidParameter(Route.reason, control.detail) }
        guard (1...RequestOrigin.maximumReason).contains(reason.count), !reason.allSatisfy(\.isWhitespace) else {
            throw APIError.invalidParameter(
                Route.reason, "must have 1 to \(RequestOrigin.maximumReason) characters, not only spaces")
        }
        origin?.reason = reason
        return origin
    }

    /// A query parameter that is one of the given values, or `nil` if absent.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, of _: Value.Type
    ) throws -> Value? {
        guard let text = query(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw APIError.invalidParameter(
                name, "must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    /// The text to find in hosts, from the query parameter `q`, in ASCII and lower case. `nil` if absent.
    func hostSearch() -> String? { query("q").map { (try? Host.ascii($0)) ?? $0 }.map { $0.lowercased() } }

    /// The host in the query parameter `host`, in ASCII or Unicode, or `nil` if absent.
    func hostFilter() throws -> Host? {
        guard let text = query("host") else { return nil }
        guard let host = try? Host(typed: text) else {
            throw APIError.invalidParameter("host", "must be a host, such as www.example.com")
        }
        return host
    }

    /// A query parameter that is a time to the second, or `nil` if absent.
    func moment(_ name: String) throws -> Date? {
        guard let text = query(name) else { return nil }
        do {
            return try Date(rfc3339: text)
        } catch {
            throw APIError.invalidParameter(name, error.detail)
        }
    }

    /// The name of the requested list, however its path is spelled. A cursor is valid only for the list that returned
    /// it.
    private var list: String { uri.path.percentDecoded.lowercased() }

    /// A page of the requested list. `next` is the key after which the next page starts. `more` contains additional
    /// members.
    func list(_ items: [JSONValue], next: String?, total: Int? = nil, more: JSONObject = [:]) -> Answer {
        var more = more
        if let total { more["total"] = .int(total) }
        return .list(items, next: next.map { Cursor.text(of: $0, in: list) }, more: more)
    }

    /// A page of a list.
    func list<Item>(_ listing: Listing<Item>, _ json: (Item) throws -> JSONValue) rethrows -> Answer {
        list(try listing.items.map(json), next: listing.next, total: listing.total)
    }

    /// The page that `limit` and `cursor` select, with at most `maximum` items.
    func page(upTo maximum: Int = Page.limits.upperBound) throws -> Page { try page(of: list, upTo: maximum) }

    /// The page that `limit` and `cursor` select. If `list` is not `nil`, the cursor must belong to this list.
    func page(of list: String?, upTo maximum: Int = Page.limits.upperBound) throws -> Page {
        let limit = try query("limit", in: Page.limits.lowerBound...maximum, default: Page.usualLimit)
        let countsAll = try flag("total")
        guard let cursor = query("cursor") else { return Page(limit: limit, countsAll: countsAll) }
        guard let key = Cursor.key(of: cursor, in: list) else { throw APIError.foreignCursor }
        return Page(limit: limit, after: key, countsAll: countsAll)
    }

    /// The body as JSON. Other media types are rejected.
    func json() throws -> JSONValue {
        try MediaType.require(MediaType.json, of: request)
        do {
            return try JSONValue(parsing: body, limits: JSONLimits(bytes: body.count))
        } catch {
            throw APIError.malformedJSON(error)
        }
    }

    /// Decodes the body as an object. Rejects unknown keys. An error lists all faults.
    func decode<Value>(_ read: @escaping (JSONObjectReader) -> Value?) throws -> Value {
        try JSONObjectReader.decode(json(), read)
    }
}

/// A position in a list: a mark of the list, and the sort key of the last item. It is encoded so that clients do not
/// depend on its format.
enum Cursor {
    /// - Parameter list: The list's path, or `nil` for a cursor without a mark.
    static func text(of key: String, in list: String? = nil) -> String {
        Data((mark(of: list) + key).utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the key in a cursor, or `nil` if the cursor belongs to another list.
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

    /// Eight digits of the FNV-1a hash of the list's name (draft-eastlake-fnv). They are enough to detect a cursor of
    /// another list.
    private static func mark(of list: String?) -> String {
        guard let list else { return "" }
        let hash = list.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
