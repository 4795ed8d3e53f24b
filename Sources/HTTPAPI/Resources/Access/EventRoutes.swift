import AASA
import HTTPTypes
import Publishing
import Storage
import StrictJSON

/// `/v1/events`: all state changes in an organization, in one list.
extension API {
    func listEvents(_ call: Call, _ member: Member) async throws -> Answer {
        // Clients store their position in this list for a long time, so its cursors do not depend on the path.
        let page = try call.page(of: nil)
        let filter = try call.eventFilter()
        let organization = member.organization.id
        switch try call.eventOrder() {
        case .newestFirst:
            for name in ["after", "wait"] where call.query(name) != nil {
                throw APIError.invalidParameter(name, "can only be used with sort=oldest")
            }
            _ = try await events.newest(as: organization)
            let listing = try await store.read(as: organization) { try $0.newestEvents(page, filter) }
            return .list(listing.items.map(\.json), next: listing.next.map { Cursor.text(of: $0) })
        case .oldestFirst:
            let after = try call.eventPlace(page)
            let wait = try call.query("wait", in: 0...30, default: 0)
            do {
                let stretch = try await events.events(
                    as: organization, after: after, limit: page.limit, filter, wait: .seconds(wait)
                ) { try await call.stepAside($0) }
                return .list(stretch.events.map(\.json), next: Cursor.text(of: String(stretch.next)))
            } catch let error as EventFeed.UnknownPlace {
                throw APIError.invalidParameter(
                    page.after == nil ? "after" : "cursor",
                    "is after the newest event, \(error.newest). It comes from another installation, or an older backup "
                        + "was restored"
                )
            }
        }
    }
}

/// The order of the list.
private enum EventOrder {
    case oldestFirst, newestFirst
}

extension Call {
    fileprivate func eventOrder() throws -> EventOrder {
        switch query("sort") {
        case nil, "oldest": return .oldestFirst
        case "newest": return .newestFirst
        default: throw APIError.invalidParameter("sort", "must be oldest or newest")
        }
    }

    /// The position after which the list continues, from the cursor or from `after`.
    fileprivate func eventPlace(_ page: Page) throws -> Int64 {
        guard let key = page.after else {
            return Int64(try query("after", in: 0...Int.max, default: 0))
        }
        if query("after") != nil { throw APIError.invalidParameter("after", "cannot be used together with a cursor") }
        guard let place = Int64(key), place >= 0 else { throw APIError.foreignCursor }
        return place
    }

    func eventFilter() throws -> EventFilter {
        var filter = EventFilter()
        let names = queries("kind")
        if !names.isEmpty {
            filter.kinds = try names.flatMap { name in
                let kinds = EventKind.named(name)
                if kinds.isEmpty {
                    throw APIError.invalidParameter(
                        "kind",
                        "must be a kind of event, such as publication.live, or a group of kinds, such as publication")
                }
                return kinds
            }
        }
        filter.host = try hostFilter()
        filter.actor = query("actor")
        filter.since = try moment("since")
        filter.until = try moment("until")
        filter.act = try query("act").map { text in
            guard let act = EventAct(text) else {
                throw APIError.invalidParameter(
                    "act", "must be release:, replacement: or run:, and the ID after it")
            }
            return act
        }
        filter.withoutParts = try flag("grouped")
        return filter
    }
}

extension Event {
    fileprivate var json: JSONValue {
        [
            "position": .number(position), "at": .time(at), "kind": .string(kind), "subject": .string(subject),
            "host": .text(host?.description), "actor": actor.json, "act": .text(act), "reason": .text(reason),
            "detail": detail.countingChanges,
        ]
    }
}

extension JSONValue {
    /// The detail of an event with the number of a draft's changes in `edits` in place of the changes themselves. Every
    /// open page reads events, and administrators can see the changes in the audit trail.
    fileprivate var countingChanges: JSONValue {
        guard var detail = object, detail["changes"] != nil || detail["omitted"] != nil else { return self }
        let changes = detail["changes"]?.array ?? []
        var counts = JSONObject()
        for change in changes.compactMap(\.object) {
            let part = change["rule"] != nil ? "rule" : change["entry"] != nil ? "entry" : "setting"
            let edit = change["before"] == nil ? "Added" : change["value"] == nil ? "Removed" : "Edited"
            counts[part + edit] = .int((counts[part + edit]?.int ?? 0) + 1)
        }
        counts["more"] = detail["omitted"]
        detail["changes"] = nil
        detail["omitted"] = nil
        detail["edits"] = .object(counts)
        return .object(detail)
    }
}
