import AASA
public import ArgumentParser
import FoundationEssentials
import HTTPAPI
import Postgres
public import Storage
import StrictJSON

/// An operator's command that uses the store. It opens the store, sets the author for the audit trail, and prints the
/// result.
protocol AdministrationCommand: AsyncParsableCommand {
    /// True to print JSON.
    var json: Bool { get }
    /// Runs the command. Returns the result as text and as JSON.
    func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue)
}

extension AdministrationCommand {
    func run() async throws {
        let settings = try Settings.load()
        let answer = try await DatabaseAccess.withStore(settings, logger: settings.quietLogger()) { store, _ in
            try await explaining { try await perform(in: store, settings) }
        }
        if json { try Console.say(answer.json) } else { try Console.say(answer.text) }
    }

    /// The operator at the command line, for the audit trail.
    var author: Author {
        Author(kind: .operatorAtCommandLine, name: ProcessInfo.processInfo.environment["USER"] ?? "operator")
    }

    func organization(_ slug: String, in store: Store) async throws -> Organization {
        guard let organization = try await store.read({ try $0.organization(slug: slug) }) else {
            throw Refusal("there is no organization \(slug)")
        }
        return organization
    }

    /// Refuses control characters in a text, as the API does.
    func requirePlain(_ text: String, _ option: String) throws {
        if let control = ControlCharacter(in: text) { throw ValidationError("\(option) \(control.detail).") }
    }

    /// Runs `body`. Adds an explanation to errors that the operator can fix.
    private func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError where DatabaseAccess.lacksMigrations(error) {
            throw Refusal("the database is older than this version of Waymark; run `waymark migrate` first")
        } catch let error as StorageError {
            switch error {
            case .exists(let kind): throw Refusal("this \(kind) already exists")
            case .notFound(let kind, let key): throw Refusal("there is no \(kind) \(key)")
            case .claimedElsewhere: throw Refusal("another organization has verified this host")
            default: throw Refusal("\(error)")
            }
        }
    }
}

/// The reason why a command failed.
struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// `waymark organization`.
struct OrganizationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organization", abstract: "Manages organizations.",
        subcommands: [Create.self, List.self, Quota.self, Delete.self, Keep.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates an organization with its first owner.",
            discussion: "Prints a one-time link for the owner to sign in to the dashboard.")

        @Argument(help: "The short name for URLs: lower-case letters, digits and single hyphens.") var slug: String
        @Option(help: "The display name. The default is the short name.") var name: String?
        @Option(help: "The first owner's e-mail address.") var owner: String
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard Organization.isSlug(slug) else {
                throw ValidationError("SLUG must be at most 63 lower-case letters, digits and single hyphens.")
            }
            guard owner.contains("@"), owner.count <= 254 else {
                throw ValidationError("--owner must be an e-mail address.")
            }
            try requirePlain(owner, "--owner")
            try requirePlain(name ?? "", "--name")
        }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (slug, name, owner) = (slug, name ?? slug, owner)
            let user = try await store.write(as: ID(), by: author) { tenant in
                _ = try tenant.createOrganization(slug: slug, name: name)
                let user = try tenant.system.ensureUser(email: owner, name: String(owner.prefix { $0 != "@" }))
                try tenant.setRole(.owner, of: user)
                return user
            }
            let link = try await SignInLink.make(for: user, store, settings)
            return (
                "Created the organization \(slug). Its owner \(owner) can sign in once with:\n  \(link)",
                ["organization": .string(slug), "owner": .string(owner), "signInLink": .string(link)]
            )
        }
    }

    /// `waymark organization quota`.
    struct Quota: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows or sets what an organization may use.",
            discussion: """
                Without options, it shows the quotas. An option sets one; `none` removes it. Domains that exist stay, and so \
                do drafts. The quotas take effect within a second.

                  waymark organization quota acme --domains 50 --evaluations 100000
                  waymark organization quota acme --domains none
                """)

        @Argument(help: "The short name.") var slug: String
        @Option(help: "The number of domains, or none.") var domains: String?
        @Option(help: "The size of the files that all drafts generate, in bytes, or none.") var draftBytes: String?
        @Option(help: "The URLs that are evaluated in a minute, or none.") var evaluations: String?
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            for (name, text) in [("domains", domains), ("draft-bytes", draftBytes), ("evaluations", evaluations)] {
                guard let text, text != "none" else { continue }
                guard let number = Int(text), (1...1_000_000_000).contains(number) else {
                    throw ValidationError("--\(name) must be a number from 1 to 1000000000, or none.")
                }
            }
        }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (slug, domains, draftBytes, evaluations) = (slug, domains, draftBytes, evaluations)
            guard let organization = try await store.read({ try $0.organization(slug: slug) }) else {
                throw StorageError.notFound(kind: "organization", key: slug)
            }
            var quotas = organization.quotas
            if let domains { quotas.domains = Int(domains) }
            if let draftBytes { quotas.draftBytes = Int(draftBytes) }
            if let evaluations { quotas.evaluations = Int(evaluations) }
            let set = quotas
            try await store.write(as: organization.id, by: author) { try $0.setQuotas(set) }
            func words(_ value: Int?) -> String { value.map { "\($0)" } ?? "no limit" }
            let text = """
                domains: \(words(quotas.domains))
                bytes in the files of all drafts: \(words(quotas.draftBytes))
                evaluated URLs in a minute: \(words(quotas.evaluations))
                """
            return (text, ["organization": .string(slug), "quotas": quotas.json])
        }
    }
}

/// `waymark user`.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manages members and their sign-in.",
        subcommands: [
            Add.self, Invite.self, List.self, ChangeRole.self, Remove.self, SignIn.self, EndSessions.self,
            RemoveSecondFactor.self,
        ])

    struct SignIn: AdministrationCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in-link",
            abstract: "Prints a one-time link for a user to sign in to the dashboard. It is valid for a day.")

        @Argument(help: "The user's e-mail address.") var email: String
        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let email = email
            let user = try await store.read { try $0.existingUser(email: email) }
            let link = try await SignInLink.make(for: user, store, settings)
            return (link, ["signInLink": .string(link)])
        }
    }

    /// `waymark user end-sessions`.
    struct EndSessions: AdministrationCommand {
        static let configuration = CommandConfiguration(
            commandName: "end-sessions",
            abstract: "Signs a user out everywhere, within a second.",
            discussion: "The user can sign in again. To keep a user out of an organization, use `waymark user remove`.")

        @Argument(help: "The user's e-mail address.") var email: String
        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let email = email
            let user = try await store.write { installation in
                let user = try installation.existingUser(email: email)
                try installation.closeSessions(of: user.id)
                return user
            }
            return ("\(user.email) is signed out everywhere.", ["email": .string(user.email)])
        }
    }

    /// `waymark user remove-second-factor`.
    struct RemoveSecondFactor: AdministrationCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-second-factor",
            abstract: "Removes the second factor of a user who has lost the authenticator app and the recovery codes.",
            discussion:
                "Make sure first that the request comes from the user: from now on, the password alone is enough to "
                + "sign in. The user gets a mail.")

        @Argument(help: "The user's e-mail address.") var email: String
        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let email = email
            let user = try await store.write { installation in
                let user = try installation.existingUser(email: email)
                guard try installation.removeSecondFactor(of: user.id) else {
                    throw Refusal("\(user.email) has no second factor")
                }
                try installation.mailSignInChange(.removed, to: user)
                return user
            }
            return ("\(user.email) has no second factor any more.", ["email": .string(user.email)])
        }
    }
}

/// `waymark token`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manages API tokens.",
        subcommands: [Create.self, List.self, Rotate.self, Revoke.self, TokenExchangeCommand.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates an API token and prints it. It is printed only once; only its hash is stored.")

        @Option(help: "The organization that it acts for.") var organization: String
        @Option(help: "The name of the token.") var name: String
        @Option(help: "Its role: viewer, editor, publisher, admin or owner.") var role = Role.publisher
        @OptionGroup var limit: RoleLimit
        @Option(help: "How many days it is valid. The default is until it is revoked.") var days: Int?
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard (1...200).contains(name.unicodeScalars.count) else {
                throw ValidationError("--name must have 1 to 200 characters.")
            }
            try requirePlain(name, "--name")
            try limit.require(role)
            if let days, !(1...3_650).contains(days) { throw ValidationError("--days must be 1 to 3650.") }
        }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (name, role, labels, days) = (name, role, limit.label, days)
            let organization = try await organization(organization, in: store)
            let secret = try await store.write(as: organization.id, by: author) {
                try $0.createToken(name: name, role: role, labels: labels, seconds: days.map { $0 * 86_400 }).secret
            }
            return (
                secret.text,
                [
                    "token": .string(secret.text), "organization": .string(organization.slug), "name": .string(name),
                    "role": .string(role.rawValue), "labels": .array(labels.map(JSONValue.string)),
                ]
            )
        }
    }
}

extension Role: ExpressibleByArgument {}

/// The option that limits a role to domains.
struct RoleLimit: ParsableArguments {
    @Option(
        help: "Limits the role to the domains with this label. Only for editor and publisher. Can be repeated.")
    var label: [String] = []

    func require(_ role: Role) throws {
        guard Grant(role, labels: label).isPossible else {
            throw ValidationError("--label is only for the roles editor and publisher.")
        }
        guard label.count <= Grant.maximumLabels else {
            throw ValidationError("--label can be given \(Grant.maximumLabels) times at most.")
        }
        for label in label {
            guard (1...63).contains(label.unicodeScalars.count) else {
                throw ValidationError("--label must have 1 to 63 characters.")
            }
            if let control = ControlCharacter(in: label) { throw ValidationError("--label \(control.detail).") }
        }
    }

    /// The limit, to put after the name of a role. Empty without one.
    var words: String { Self.words(label) }

    static func words(_ labels: [String]) -> String {
        labels.isEmpty ? "" : " for domains labelled \(labels.map(TerminalText.shown).joined(separator: ", "))"
    }
}

/// `waymark domain`.
struct DomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain", abstract: "Manages domain verification.", subcommands: [Verify.self])

    struct Verify: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verifies a host for an organization, without further proof.",
            discussion: "From then on, only the files that this organization publishes for the host are served.")

        @Option(help: "The organization.") var organization: String
        @Argument(help: "The host, in ASCII or Unicode.") var host: String
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            do { _ = try Host(typed: host) } catch { throw ValidationError("HOST \(error.detail).") }
        }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let host = try Host(typed: host)
            let organization = try await organization(organization, in: store)
            _ = try await store.write(as: organization.id, by: author) { try $0.claim(host) }
            return (
                "\(host) is verified for \(organization.slug).",
                ["host": .string(host.description), "organization": .string(organization.slug), "verified": true]
            )
        }
    }
}
