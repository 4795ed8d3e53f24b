import AASA
import Storage
import StrictJSON

/// `/v1/apps`: the organization's apps, sorted by app ID.
extension API {
    func listApps(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let search = call.query("q")
        let apps = try await read(as: member) { try $0.apps(page, search: search) }
        return call.list(apps, \.json)
    }

    func listAppDomains(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.appID()
        let page = try call.page(upTo: TenantTransaction.maximumAppDomains)
        let search = call.hostSearch()
        let domains = try await read(as: member) { tenant in
            guard try tenant.app(id) != nil else { throw APIError.notFound("app", id.description) }
            return try tenant.domains(using: id, page, search: search)
        }
        return call.list(domains, \.json)
    }

    func createApp(_ call: Call, _ member: Member) async throws -> Answer {
        let new = try call.decode(NewApp.init(reader:))
        let app = try await unlessTaken(member) {
            try await write(as: member) {
                try $0.createApp(
                    new.appID, teamID: new.teamID, name: new.name, kind: new.kind, appStoreID: new.appStoreID)
            }
        } existing: { _ in
            "/v1/apps/\(new.appID)"
        }
        return .created(app.json, at: "/v1/apps/\(app.appID)")
    }

    func showApp(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.appID()
        guard let app = try await read(as: member, .app(id)) else {
            throw APIError.notFound("app", id.description)
        }
        return .json(app.json)
    }

    func changeApp(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.appID()
        let change = try call.decode { reader in
            .some(
                AppChange(
                    name: reader.replacement("name", .name), kind: reader.replacement("kind", .appKind),
                    appStoreID: reader.change("appStoreID", .appStoreID)))
        }
        let app = try await write(as: member) { tenant in
            guard var app = try tenant.lockedApp(id) else { throw APIError.notFound("app", id.description) }
            app.name = change.name ?? app.name
            app.kind = change.kind ?? app.kind
            app.appStoreID = change.appStoreID.applied(to: app.appStoreID)
            return try tenant.updateApp(app)
        }
        return .json(app.json)
    }

    func deleteApp(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.appID()
        try await write(as: member) { try $0.deleteApp(id) }
        return .noContent
    }
}

private struct AppChange: Sendable {
    let name: String?
    let kind: App.Kind?
    let appStoreID: Change<String>
}

/// An app to register.
struct NewApp: Sendable {
    let appID: AppID
    let teamID: TeamID
    let name: String
    let kind: App.Kind
    let appStoreID: String?

    /// Reads an app. If they are missing, the prefix is the Team ID and the name is the bundle ID.
    init?(reader: JSONObjectReader) {
        let teamID = reader.required("teamID", .text(as: TeamID.init))
        let bundleID = reader.required("bundleID", .text(as: BundleID.init))
        let prefix = reader.optional("prefix", .text(as: TeamID.init))
        let name = reader.optional("name", .name)
        kind = reader.optional("kind", .appKind, default: .app)
        appStoreID = reader.optional("appStoreID", .appStoreID)
        guard let teamID, let bundleID else { return nil }
        do {
            appID = try AppID(prefix: prefix ?? teamID, bundleID: bundleID)
        } catch {
            reader.fault("bundleID", error.code, error.detail)
            return nil
        }
        self.teamID = teamID
        self.name = name ?? String(bundleID.description.prefix(200))
    }
}

extension App {
    var json: JSONValue {
        [
            "appID": .string(appID.description), "prefix": .string(appID.prefix.description),
            "bundleID": .string(appID.bundleID.description), "teamID": .string(teamID.description),
            "name": .string(name), "kind": .string(kind.rawValue), "appStoreID": .text(appStoreID),
            "createdAt": .time(createdAt), "domains": .int(domains),
        ]
    }
}

extension AppDomain {
    fileprivate var json: JSONValue {
        [
            "host": .string(host.description), "draft": draft.map { .object($0.json) } ?? .null,
            "live": live.map { live in
                var object = live.use.json
                object["version"] = .int(live.version)
                return .object(object)
            } ?? .null,
        ]
    }
}

extension AppUse {
    fileprivate var json: JSONObject {
        [
            "rules": .int(rules), "excludes": .int(excludes), "everything": .bool(everything),
            "services": .array(services.map(JSONValue.string)),
        ]
    }
}

extension JSONShape where Value == App.Kind {
    fileprivate static var appKind: JSONShape<App.Kind> { .choice(of: App.Kind.self) }
}

extension JSONShape where Value == String {
    /// An app's numeric ID in the App Store.
    fileprivate static var appStoreID: JSONShape<String> {
        .text(as: { (text: String) throws(InvalidAppStoreID) in
            guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw InvalidAppStoreID()
            }
            return text
        })
    }
}

private struct InvalidAppStoreID: JSONFaultReason {
    var code: String { "invalid_app_store_id" }
    var detail: String { "must be 1 to 20 digits" }
}

extension Call {
    /// The app ID in the path. An invalid app ID returns 404, as an unknown one does.
    func appID() throws -> AppID {
        guard let id = try? AppID(path("appID")) else { throw APIError.notFound("app", path("appID")) }
        return id
    }
}
