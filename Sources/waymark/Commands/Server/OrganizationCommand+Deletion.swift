import ArgumentParser
import FoundationEssentials
import Storage
import StrictJSON

extension OrganizationCommand {
    /// `waymark organization delete`.
    struct Delete: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes an organization in 14 days, or now.",
            discussion: """
                Until then, nothing changes, and `waymark organization keep` cancels it. Then everyone loses access, its \
                files are not served any more, and everything is deleted apart from the audit trail. All owners get a mail. \
                `waymark organization list` shows what was deleted.

                  waymark organization delete acme
                  waymark organization delete acme --now
                """)

        @Argument(help: "The short name.") var slug: String
        @Flag(help: "Begin now instead of in 14 days. This cannot be undone.") var now = false
        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let organization = try await organization(slug, in: store)
            let seconds = now ? 0 : TenantTransaction.deletionGraceSeconds
            let changed = try await store.write(as: organization.id, by: author) {
                try $0.requestDeletion(afterSeconds: seconds)
            }
            return (
                now
                    ? "\(slug) is being deleted."
                    : "\(slug) will be deleted on \(changed.deletion?.dueAt.formatted(.iso8601) ?? "").",
                ["organization": .string(slug), "deletion": changed.deletion?.json ?? .null]
            )
        }
    }

    /// `waymark organization keep`.
    struct Keep: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancels the deletion of an organization.")

        @Argument(help: "The short name.") var slug: String
        @Flag(help: "Print JSON.") var json = false

        func perform(in store: Store, _ settings: Settings) async throws -> (text: String, json: JSONValue) {
            let organization = try await organization(slug, in: store)
            _ = try await store.write(as: organization.id, by: author) { try $0.cancelDeletion() }
            return ("\(slug) stays.", ["organization": .string(slug), "deletion": .null])
        }
    }
}
