import ArgumentParser
import FoundationEssentials
import HTTPAPI
import Storage
import StrictJSON

extension TokenCommand {
    /// `waymark token list`.
    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists an organization's API tokens, newest first, without their secrets.")

        @Option(help: "The organization.") var organization: String
        @Flag(help: "Include revoked and expired tokens.") var all = false
        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let organization = try await organization(organization, in: store)
            let tokens = try await store.read(as: organization.id) { try $0.tokens() }.filter { all || !$0.hasEnded }
            let lines = tokens.map {
                "\($0.id)  \($0.role)\(RoleLimit.words($0.grant.labels))  \(TerminalText.shown($0.name))  \($0.times)"
            }
            return (
                lines.isEmpty ? "\(organization.slug) has no tokens." : lines.joined(separator: "\n"),
                ["organization": .string(organization.slug), "tokens": .array(tokens.map(\.json))]
            )
        }
    }

    /// `waymark token rotate`.
    struct Rotate: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replaces an API token, by its ID, and prints the new one.",
            discussion: """
                The new token has the same name, role and lifetime. The old one stays valid for the overlap, so that \
                programs can change to the new one. `waymark token list` shows the IDs.
                """)

        @Argument(help: "The token's ID.") var id: String
        @Option(help: "How many hours the old token stays valid at most, 0 to 168.") var overlapHours = 24
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            try requireTokenID(id)
            guard (0...168).contains(overlapHours) else { throw ValidationError("--overlap-hours must be 0 to 168.") }
        }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (id, organization) = try await token(id, in: store)
            let seconds = overlapHours * 3_600
            let made = try await store.write(as: organization.id, by: author) {
                try $0.rotateToken(id, overlap: seconds)
            }
            return (
                made.secret.text,
                [
                    "organization": .string(organization.slug), "secret": .string(made.secret.text),
                    "token": made.token.json,
                ]
            )
        }
    }

    /// `waymark token revoke`.
    struct Revoke: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revokes an API token, by its ID.",
            discussion: "Requests with it are refused from now on. `waymark token list` shows the IDs.")

        @Argument(help: "The token's ID.") var id: String
        @Flag(help: "Print JSON.") var json = false

        func validate() throws { try requireTokenID(id) }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (id, organization) = try await token(id, in: store)
            let (token, isNew) = try await store.write(as: organization.id, by: author) { try $0.revokeToken(id) }
            let name = TerminalText.shown(token.name)
            return (
                isNew
                    ? "The token \(name) of \(organization.slug) is revoked."
                    : "The token \(name) of \(organization.slug) was already revoked; nothing changed.",
                ["organization": .string(organization.slug), "token": token.json]
            )
        }
    }
}

extension AdministrationCommand {
    fileprivate func requireTokenID(_ text: String) throws {
        guard ID<Credential>(text) != nil else {
            throw ValidationError(
                "ID must be a token's ID, not its name or secret. `waymark token list` shows the IDs.")
        }
    }

    /// A token's ID and organization.
    fileprivate func token(_ text: String, in store: Store) async throws -> (ID<Credential>, Organization) {
        guard let id = ID<Credential>(text),
            let organization = try await store.read({ try $0.organization(ofToken: id) })
        else { throw Refusal("there is no token \(text)") }
        return (id, organization)
    }
}

extension Token {
    fileprivate var hasEnded: Bool { revokedAt != nil || expiresAt.map { $0 < Date.now } ?? false }

    fileprivate var times: String {
        let end = revokedAt.map { ", revoked \($0.onTerminal)" } ?? expiresAt.map { ", expires \($0.onTerminal)" } ?? ""
        let maker = author.map { " by \(TerminalText.shown($0.name))" } ?? (trust == nil ? "" : " by a CI job")
        let use = lastUsedAt.map { "last used \($0.onTerminal)" } ?? "never used"
        return "created \(createdAt.onTerminal)\(maker), \(use)\(end)"
    }

    fileprivate var json: JSONValue {
        [
            "id": .string(id.description), "name": .string(name), "role": .string(role.rawValue),
            "author": author.map { .string($0.name) } ?? .null, "createdAt": .rfc3339(createdAt),
            "lastUsedAt": .rfc3339(lastUsedAt), "expiresAt": .rfc3339(expiresAt), "revokedAt": .rfc3339(revokedAt),
        ]
    }
}

extension JSONValue {
    /// A time in UTC to the second, or null.
    fileprivate static func rfc3339(_ time: Date?) -> JSONValue {
        time.map { .string($0.formatted(Date.ISO8601FormatStyle())) } ?? .null
    }
}
