public import AASA
import Postgres

/// A record about a host within another record, such as the outcome of a schedule's run.
public struct ExportedPart<Whole, Part: Sendable>: Sendable {
    /// The ID of the record that it belongs to.
    public let whole: ID<Whole>
    /// The host that it is about.
    public let host: Host
    /// The record.
    public let part: Part
}

/// Lists for an export: everything of an organization, in the order of the primary keys.
extension TenantTransaction {
    /// A page of the withdrawals of all hosts. The page's key is an ID.
    public func exportedWithdrawals(_ page: Page) throws -> Listing<Withdrawal> {
        let rows = try database.query(
            """
            select \(fragment: Withdrawal.columns) from withdrawals
            where organization_id = \(organization.uuid) \(fragment: try after(page, Withdrawal.self))
            order by id
            limit \(page.limit + 1)
            """)
        return Listing(reading: try rows.map(Withdrawal.init(row:)), of: page) { $0.id.description }
    }

    /// A page of the runs of all schedules. The page's key is an ID.
    public func exportedRuns(_ page: Page) throws -> Listing<ScheduleRun> {
        let rows = try database.query(
            """
            select \(fragment: ScheduleRun.columns) from schedule_runs
            where organization_id = \(organization.uuid) \(fragment: try after(page, ScheduleRun.self))
            order by id
            limit \(page.limit + 1)
            """)
        return Listing(reading: try rows.map(ScheduleRun.init(row:)), of: page) { $0.id.description }
    }

    /// A page of the outcomes of all runs. The page's key is the run's ID and the host, with a space between them.
    public func exportedOutcomes(_ page: Page) throws -> Listing<ExportedPart<ScheduleRun, ScheduleOutcome>> {
        let rows = try database.query(
            """
            select run_id as whole, host, outcome, publication_id, freeze_id, report, cause, at from schedule_outcomes
            where organization_id = \(organization.uuid) \(fragment: try after(page, ScheduleRun.self, "run_id"))
            order by run_id, host
            limit \(page.limit + 1)
            """)
        return try parts(rows, of: page, ScheduleOutcome.init(row:))
    }

    /// A page of the domains of all releases. The page's key is the release's ID and the host, with a space between them.
    public func exportedReleaseDomains(_ page: Page) throws -> Listing<ExportedPart<Release, ReleaseDomain>> {
        let rows = try database.query(
            """
            select release_id as whole, \(fragment: ReleaseDomain.columns) from release_domains
            where organization_id = \(organization.uuid) \(fragment: try after(page, Release.self, "release_id"))
            order by release_id, host
            limit \(page.limit + 1)
            """)
        return try parts(rows, of: page, ReleaseDomain.init(row:))
    }

    /// The start of a page of records that are sorted by their ID.
    private func after<Item>(_ page: Page, _ item: Item.Type) throws -> SQL {
        guard let last = try page.key({ ID<Item>($0) }) else { return "" }
        return "and id > \(last.uuid)"
    }

    /// The start of a page of parts that are sorted by the ID of their whole, and by their host.
    private func after<Whole>(_ page: Page, _ whole: Whole.Type, _ column: SQL) throws -> SQL {
        let last = try page.key { key -> (ID<Whole>, String)? in
            let words = key.split(separator: " ")
            guard words.count == 2, let id = ID<Whole>(String(words[0])) else { return nil }
            return (id, String(words[1]))
        }
        guard let (id, host) = last else { return "" }
        return "and (\(fragment: column), host) > (\(id.uuid), \(host))"
    }

    private func parts<Whole, Part>(
        _ rows: [Row], of page: Page, _ read: (Row) throws -> Part
    ) throws -> Listing<ExportedPart<Whole, Part>> {
        let found = try rows.map {
            ExportedPart<Whole, Part>(whole: try $0.id("whole"), host: try $0.host("host"), part: try read($0))
        }
        return Listing(reading: found, of: page) { "\($0.whole) \($0.host)" }
    }
}
