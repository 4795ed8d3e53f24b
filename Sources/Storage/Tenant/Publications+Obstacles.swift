import AASA
import Postgres

extension Tenant {
    /// Why publications that wait for their time would not go live, as things are; nothing of those that nothing is known
    /// against. What a freeze stops is told apart from it.
    public func obstacles(to publications: [Publication]) throws -> [ID<Publication>: String] {
        let hosts = Array(Set(publications.filter(\.waitsForItsTime).map(\.host)))
        guard !hosts.isEmpty else { return [:] }
        let pending = try database.query(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and host = any(\(hosts.map(\.description)))
              and state in ('scheduled', 'running')
            """
        ).map(Publication.init(row:))
        let live = try liveActivations(of: hosts)
        let known = Dictionary(uniqueKeysWithValues: pending.map { ($0.id, $0) })
        func obstacle(to publication: Publication) -> String? {
            guard publication.waitsForItsTime else { return nil }
            if let before = publication.follows.flatMap({ known[$0] }) {
                guard obstacle(to: before) != nil else { return nil }
                if publication.reverts != nil {
                    return "version \(before.version), which it takes back, will not go live"
                }
                return publication.overrides ? nil : "version \(before.version), for which it waits, will not go live"
            }
            let current = live[publication.host]
            guard !publication.overrides, current != publication.madeAgainst else { return nil }
            return current == nil
                ? "what was live here when it was made is live no more"
                : "something else has gone live here since it was made"
        }
        return publications.reduce(into: [:]) { $0[$1.id] = obstacle(to: $1) }
    }
}

extension Publication {
    fileprivate var waitsForItsTime: Bool { state == .scheduled && dueAt != nil }
}
