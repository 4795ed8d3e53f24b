import Postgres

/// A label, and the number of domains that have it.
public struct DomainLabel: Hashable, Sendable {
    /// The highest value of ``domains``. It means "this number or more".
    public static let limit = 1_000

    /// The label.
    public let label: String
    /// The number of domains with the label.
    public let domains: Int
}

extension TenantTransaction {
    /// The labels of the organization's domains, in byte order. The condition `label collate "C" >= ''` lets PostgreSQL
    /// use its index.
    ///
    /// - Parameter beginning: Only labels that begin with this text. If `nil`, all labels.
    public func labels(_ page: Page, beginning: String? = nil) throws -> Listing<DomainLabel> {
        let beginning = beginning ?? ""
        // This text sorts after all labels that begin with `beginning`, because labels cannot contain U+10FFFF.
        let end = beginning + "\u{10FFFF}"
        let first: SQL =
            page.after.map { "label collate \"C\" > \($0) and label collate \"C\" >= \(beginning)" }
            ?? "label collate \"C\" >= \(beginning)"
        let rows = try database.query(
            """
            with recursive listed as (
              (
                select label, 1 as place from domain_labels
                where organization_id = \(organization.uuid) and label collate "C" >= '' and \(fragment: first)
                order by label collate "C"
                limit 1
              )
              union all
              select later.label, listed.place + 1
              from listed
              cross join lateral (
                select label from domain_labels
                where organization_id = \(organization.uuid) and label collate "C" >= ''
                  and label collate "C" > listed.label
                order by label collate "C"
                limit 1
              ) as later
              where listed.place < \(page.rowsToRead)
            )
            select listed.label, counted.domains
            from listed
            cross join lateral (
              select count(*) as domains from (
                select from domain_labels
                where organization_id = \(organization.uuid) and label = listed.label
                order by host collate "C"
                limit \(DomainLabel.limit)
              ) as counted
            ) as counted
            where listed.label collate "C" < \(end)
            order by listed.place
            """)
        return Listing(
            reading: try rows.map {
                DomainLabel(
                    label: try $0.decode("label", as: String.self), domains: try $0.decode("domains", as: Int.self))
            }, of: page, key: \.label)
    }
}
