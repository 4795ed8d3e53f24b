import AASA
public import ArgumentParser
import FoundationEssentials
import HTTPAPI
import Postgres
public import Storage
import StrictJSON

/// What the commands for the operator share: the store, the author of the audit trail, and how they answer.
protocol AdministrationCommand: AsyncParsableCommand {
    /// Whether to answer in JSON.
    var json: Bool { get }
    /// Does it, and gives the answer for people and for programs.
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

    /// Whoever sits at the command line, as the audit trail names them.
    var author: Author {
        Author(kind: .operatorAtCommandLine, name: ProcessInfo.processInfo.environment["USER"] ?? "operator")
    }

    func organization(_ slug: String, in store: Store) async throws -> Organization {
        guard let organization = try await store.read({ try $0.organization(slug: slug) }) else {
            throw Refusal("there is no organization \(slug)")
        }
        return organization
    }

    /// A text for people is stored as the API would store it.
    func requirePlain(_ text: String, _ option: String) throws {
        if let control = ControlCharacter(in: text) { throw ValidationError("\(option) \(control.detail).") }
    }

    /// Puts what can be mended into words.
    private func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError where DatabaseAccess.lacksMigrations(error) {
            throw Refusal("the database lacks what this version of Waymark needs: run `waymark migrate` first")
        } catch let error as StorageError {
            switch error {
            case .exists(let kind): throw Refusal("this \(kind) is here already")
            case .notFound(let kind, let key): throw Refusal("there is no \(kind) \(key)")
            case .claimedElsewhere: throw Refusal("control of this host has been proven by another organization")
            default: throw Refusal("\(error)")
            }
        }
    }
}

/// Why an administration command could not be carried out, in words.
struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// `waymark organization`.
struct OrganizationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organization", abstract: "Manages organizations.", subcommands: [Create.self, List.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes an organization with its first owner.",
            discussion: "Prints a one-time link by which the owner signs in to the dashboard.")

        @Argument(help: "Its short name in URLs: lower-case letters, digits, single hyphens.") var slug: String
        @Option(help: "Its name for people; the short name where it is not given.") var name: String?
        @Option(help: "The first owner's e-mail address.") var owner: String
        @Flag(help: "Answer in JSON.") var json = false

        func validate() throws {
            let isWellFormed = slug.wholeMatch(of: /[a-z0-9](-?[a-z0-9])*/) != nil && slug.utf8.count <= 63
            guard isWellFormed else {
                throw ValidationError("SLUG has to be lower-case letters, digits and single hyphens, at most 63.")
            }
            guard owner.contains("@"), owner.count <= 254 else {
                throw ValidationError("--owner has to be an e-mail address.")
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
                "The organization \(slug) is there. Its owner \(owner) signs in once with:\n  \(link)",
                ["organization": .string(slug), "owner": .string(owner), "signInLink": .string(link)]
            )
        }
    }
}

/// `waymark user`.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manages members and their sign-in.",
        subcommands: [Add.self, List.self, ChangeRole.self, Remove.self, SignIn.self])

    struct SignIn: AdministrationCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in-link",
            abstract: "Prints a one-time link by which a user signs in to the dashboard. It is good for a day.")

        @Argument(help: "The user's e-mail address.") var email: String
        @Flag(help: "Answer in JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let email = email
            guard let user = try await store.read({ try $0.user(email: email) }) else {
                throw Refusal("there is no user \(email)")
            }
            let link = try await SignInLink.make(for: user, store, settings)
            return (link, ["signInLink": .string(link)])
        }
    }
}

/// `waymark token`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manages API tokens.", subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes an API token and prints it, once: only its hash is stored.")

        @Option(help: "The organization that it speaks for.") var organization: String
        @Option(help: "What it is for.") var name: String
        @Option(help: "What it may do: viewer, editor, publisher, admin or owner.") var role = Role.publisher
        @Option(help: "For how many days it is good; without, until it is revoked.") var days: Int?
        @Flag(help: "Answer in JSON.") var json = false

        func validate() throws {
            guard (1...200).contains(name.unicodeScalars.count) else {
                throw ValidationError("--name has to have 1 to 200 characters.")
            }
            try requirePlain(name, "--name")
            if let days, !(1...3_650).contains(days) { throw ValidationError("--days has to be 1 to 3650.") }
        }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (name, role, days) = (name, role, days)
            let organization = try await organization(organization, in: store)
            let secret = try await store.write(as: organization.id, by: author) {
                try $0.createToken(name: name, role: role, seconds: days.map { $0 * 86_400 })
            }
            return (
                secret.text,
                [
                    "token": .string(secret.text), "organization": .string(organization.slug), "name": .string(name),
                    "role": .string(role.rawValue),
                ]
            )
        }
    }
}

extension Role: ExpressibleByArgument {}

/// `waymark domain`.
struct DomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain", abstract: "Vouches for domains.", subcommands: [Verify.self])

    struct Verify: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives an organization the claim for a host, on the operator's word.",
            discussion: "From then on what the organization publishes for the host is served, and nobody else's.")

        @Option(help: "The organization.") var organization: String
        @Argument(help: "The host, in ASCII or Unicode.") var host: String
        @Flag(help: "Answer in JSON.") var json = false

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
