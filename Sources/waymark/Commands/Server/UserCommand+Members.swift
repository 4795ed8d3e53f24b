import ArgumentParser
import HTTPAPI
import Storage
import StrictJSON

extension UserCommand {
    /// `waymark user add`.
    struct Add: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a user to an organization.",
            discussion: "Prints a one-time link for the user to sign in to the dashboard.")

        @Argument(help: "The user's e-mail address.") var email: String
        @Option(help: "The organization.") var organization: String
        @Option(help: "The user's role: viewer, editor, publisher, admin or owner.") var role: Role
        @OptionGroup var limit: RoleLimit
        @Option(help: "The user's name. The default is the part of the address before the @.") var name: String?
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard email.contains("@"), (3...254).contains(email.unicodeScalars.count) else {
                throw ValidationError("EMAIL must be an e-mail address.")
            }
            guard (1...200).contains(name?.unicodeScalars.count ?? 1) else {
                throw ValidationError("--name must have 1 to 200 characters.")
            }
            try requirePlain(email, "EMAIL")
            try requirePlain(name ?? "", "--name")
            try limit.require(role)
        }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (email, role, labels) = (email, role, limit.label)
            let stem = String(email.prefix { $0 != "@" }.prefix(200))
            let name = name ?? (stem.isEmpty ? email : stem)
            let organization = try await organization(organization, in: store)
            let user = try await store.write(as: organization.id, by: author) {
                try $0.addMember(email: email, name: name, role: role, labels: labels)
            }
            let link = try await SignInLink.make(for: user, store, settings)
            return (
                "\(user.email) is a member of \(organization.slug) with the role \(role)\(limit.words), and can sign in once with:\n  \(link)",
                OrganizationMember.json(user.email, role, in: organization, [("signInLink", .string(link))])
            )
        }
    }

    /// `waymark user invite`.
    struct Invite: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Invites a person to an organization.",
            discussion: """
                Sends the link by mail, if a mail server is set up. Otherwise, or with --link, prints it for you to hand \
                over. The person sets a password, or signs in and joins. Unlike `waymark user add`, nothing happens to an \
                account before its user agrees.
                """)

        @Argument(help: "The person's e-mail address.") var email: String
        @Option(help: "The organization.") var organization: String
        @Option(help: "The role that the person gets: viewer, editor, publisher, admin or owner.") var role: Role
        @OptionGroup var limit: RoleLimit
        @Option(help: "The person's name.") var name: String?
        @Option(help: "How many days the link works, at most 30.") var days = 7
        @Flag(help: "Print the link, even if a mail server is set up.") var link = false
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            let parts = email.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), email.unicodeScalars.count <= 254,
                !email.contains(where: \.isWhitespace)
            else { throw ValidationError("EMAIL must be an e-mail address.") }
            guard (1...200).contains(name?.unicodeScalars.count ?? 1) else {
                throw ValidationError("--name must have 1 to 200 characters.")
            }
            guard (1...30).contains(days) else { throw ValidationError("--days must be from 1 to 30.") }
            try requirePlain(email, "EMAIL")
            try requirePlain(name ?? "", "--name")
            try limit.require(role)
        }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (email, name, role, labels, seconds) = (email, name, role, limit.label, days * 86_400)
            let delivery: InvitationDelivery = settings.mail != nil && !link ? .mail : .link
            let organization = try await organization(organization, in: store)
            let made = try await store.write(as: organization.id, by: author) {
                try $0.invite(
                    email: email, name: name, role: role, labels: labels, by: nil, seconds: seconds, delivery: delivery)
            }
            let link = made.code.map { "\(settings.publicURL)/invitation#\($0.text)" }
            let how = link.map { "can join once with:\n  \($0)" } ?? "gets a mail with a link."
            return (
                "\(email) is invited to \(organization.slug) with the role \(role)\(limit.words), and \(how)",
                OrganizationMember.json(
                    email, role, in: organization, [("link", link.map(JSONValue.string) ?? .null)])
            )
        }
    }

    /// `waymark user list`.
    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the members of an organization.")

        @Option(help: "The organization.") var organization: String
        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let organization = try await organization(organization, in: store)
            let members = try await store.read(as: organization.id) { try $0.members() }
            return (
                members.map { "\(TerminalText.shown($0.user.email))  \($0.role)\(RoleLimit.words($0.grant.labels))" }
                    .joined(separator: "\n"),
                [
                    "organization": .string(organization.slug),
                    "users": .array(
                        members.map {
                            [
                                "email": .string($0.user.email), "role": .string($0.role.rawValue),
                                "labels": .array($0.grant.labels.map(JSONValue.string)),
                            ]
                        }),
                ]
            )
        }
    }

    /// `waymark user role`.
    struct ChangeRole: AdministrationCommand {
        static let configuration = CommandConfiguration(
            commandName: "role", abstract: "Changes the role of a member of an organization.")

        @Argument(help: "The user's e-mail address.") var email: String
        @Argument(help: "The user's role: viewer, editor, publisher, admin or owner.") var role: Role
        @OptionGroup var limit: RoleLimit
        @Option(help: "The organization.") var organization: String
        @Flag(help: "Print JSON.") var json = false

        func validate() throws { try limit.require(role) }

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let (email, role, labels) = (email, role, limit.label)
            let organization = try await organization(organization, in: store)
            let member = try await store.write(as: organization.id, by: author) {
                try $0.changeRole(of: email, to: role, labels: labels)
            }
            return (
                "\(member.user.email) has the role \(role)\(limit.words) in \(organization.slug).",
                OrganizationMember.json(member.user.email, role, in: organization)
            )
        }
    }

    /// `waymark user remove`.
    struct Remove: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a user from an organization.",
            discussion:
                "The user's sessions lose access to the organization. Tokens that the user made stay valid; they are listed."
        )

        @Argument(help: "The user's e-mail address.") var email: String
        @Option(help: "The organization.") var organization: String
        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let email = email
            let organization = try await organization(organization, in: store)
            let (member, tokens) = try await store.write(as: organization.id, by: author) { tenant in
                let member = try tenant.removeMember(email)
                return (
                    member,
                    try tenant.tokens().filter {
                        $0.isActive && $0.author == Author(kind: .user, name: member.user.email)
                    }
                )
            }
            let lines = tokens.map { "\n  waymark token revoke \($0.id)  # \(TerminalText.shown($0.name))" }
            return (
                "\(member.user.email) is no longer a member of \(organization.slug)."
                    + (lines.isEmpty ? "" : " Tokens that they made stay valid. To revoke them:\(lines.joined())"),
                OrganizationMember.json(
                    member.user.email, nil, in: organization,
                    [("tokens", .array(tokens.map { .string($0.id.description) }))])
            )
        }
    }
}

extension OrganizationCommand {
    /// `waymark organization list`.
    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the organizations, by short name.")

        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let found = try await store.read { try $0.organizations() }
            let lines = found.map { organization, members in
                "\(organization.slug)  \(TerminalText.shown(organization.name))  "
                    + (members == 1 ? "1 member" : "\(members) members")
            }
            let items: [JSONValue] = found.map { organization, members in
                [
                    "organization": .string(organization.slug), "name": .string(organization.name),
                    "members": .int(members),
                ]
            }
            return (
                lines.isEmpty ? "There are no organizations." : lines.joined(separator: "\n"),
                ["organizations": .array(items)]
            )
        }
    }
}

extension OrganizationMember {
    fileprivate static func json(
        _ email: String, _ role: Role?, in organization: Organization, _ more: [(String, JSONValue)] = []
    ) -> JSONValue {
        let known: [(String, JSONValue)] = [
            ("organization", .string(organization.slug)), ("email", .string(email)),
            ("role", role.map { .string($0.rawValue) } ?? .null),
        ]
        return .object(JSONObject(known + more))
    }
}
