import FoundationEssentials
import Glibc
import Logging
import Postgres
import Publishing
import ServiceLifecycle
import Storage

/// Prints the dashboard's address. With a private database, it also creates the first organization and owner if they do
/// not exist. At every start until the owner has a password, it creates a new one-time sign-in link. It prints the link
/// only on a terminal. Otherwise, it writes the link to a file, because anyone who reads a stored log could sign in.
struct Welcome: Service {
    static let owner = "owner@localhost"
    static let organization = "my-organization"

    let settings: Settings
    let access: DatabaseAccess
    /// Rings when the API is listening.
    let listening: Doorbell

    func run() async throws {
        await listening.wait(atMost: .seconds(60))
        guard !Task.isShuttingDownGracefully else { return }
        do {
            try Console.say(try await greeting())
        } catch {
            settings.logger().error("A sign-in link could not be created.", metadata: ["error": "\(error)"])
        }
        try? await gracefulShutdown()
    }

    private func greeting() async throws -> String {
        let dashboard = "Waymark's dashboard: \(settings.publicURL)/"
        guard access.isLocal else { return dashboard }
        let pool = PostgresPool(access.runtime, logger: settings.quietLogger())
        let store = Store(pool: pool)
        defer { Task { await pool.close() } }
        let user = try await firstOwner(store)
        let how =
            try await store.read { try $0.passwordHash(of: user.id) } == nil
            ? "Sign in once with:   \(try await linkShown(for: user, store))"
            : "Sign in as:          \(user.email), with your password"
        return """

            \(dashboard)
            \(how)
            Files are served at: http://\(settings.edgeAddress)/ (selected by the Host header)
            A one-time link:     waymark user sign-in-link \(Self.owner)
            Stop with Ctrl-C.

            """
    }

    private func linkShown(for user: User, _ store: Store) async throws -> String {
        let link = try await SignInLink.make(for: user, store, settings)
        return isatty(STDOUT_FILENO) == 1 ? link : "the link in \(try SignInLink.keep(link, settings))"
    }

    private func firstOwner(_ store: Store) async throws -> User {
        if let user = try await store.read({ try $0.user(email: Self.owner) }) { return user }
        let organization = ID<Organization>()
        return try await store.write(as: organization, by: .system) { tenant in
            _ = try tenant.createOrganization(slug: Self.organization, name: "My organization")
            let user = try tenant.system.ensureUser(email: Self.owner, name: "Owner")
            try tenant.setRole(.owner, of: user)
            return user
        }
    }
}

/// A one-time link to sign in to the dashboard.
enum SignInLink {
    static let seconds = 24 * 3_600

    static func make(for user: User, _ store: Store, _ settings: Settings) async throws -> String {
        let code = try await store.write { try $0.createSignInCode(for: user, seconds: seconds) }
        return "\(settings.publicURL)/sign-in#\(code.text)"
    }

    /// Writes a link to a file in the state folder that only the file's owner can read. Replaces the previous file.
    /// - Returns: The path of the file.
    static func keep(_ link: String, _ settings: Settings) throws -> String {
        let path = settings.stateDirectory + "/sign-in-link"
        // Remove the old file first: `create` does not replace a file that exists.
        unlink(path)
        try SecretFile(path: path).create([link])
        return path
    }
}
