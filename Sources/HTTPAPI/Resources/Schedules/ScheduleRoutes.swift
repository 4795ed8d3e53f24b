import AASA
import Cron
import FoundationEssentials
import HTTPTypes
import Publishing
import Storage
import StrictJSON

/// `/v1/schedules`: recurring publications. `/v1/schedule-previews`: the next runs of a schedule. A schedule's ETag is
/// its own revision.
extension API {
    func listSchedules(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let host = try call.hostFilter()
        let (items, schedules) = try await read(as: member) { tenant in
            let schedules = try tenant.schedules(page, publishing: host)
            return (try tenant.json(of: schedules.items), schedules)
        }
        return call.list(items, next: schedules.next, total: schedules.total)
    }

    func createSchedule(_ call: Call, _ member: Member) async throws -> Answer {
        let settings = try call.decode(Schedule.Settings.init(reader:))
        let (made, json) = try await unlessTaken(member) {
            try await write(as: member) { tenant in
                try tenant.require(member.grant, toReach: settings.target)
                let made = try tenant.createSchedule(settings)
                return (made, try tenant.json(of: made))
            }
        } existing: {
            try $0.schedule(named: settings.name).map { "/v1/schedules/\($0)" }
        }
        return .created(json, at: "/v1/schedules/\(made.id)").tagged(made.revision)
    }

    func showSchedule(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.scheduleID()
        let (found, json) = try await read(as: member) { tenant in
            let found = try tenant.schedule(id)
            return (found, try tenant.json(of: found))
        }
        return .json(json).tagged(found.revision)
    }

    func changeSchedule(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.scheduleID()
        let revision = try Preconditions.requiredRevision(call.request)
        let patch = try call.decode(SchedulePatch.init(reader:))
        let (changed, json) = try await unlessTaken(member) {
            try await write(as: member) { tenant in
                let changed = try tenant.updateSchedule(
                    id, expecting: revision, state: patch.state, reason: patch.reason
                ) { old in
                    let new = patch.applied(to: old)
                    for target in [old.target, new.target] { try tenant.require(member.grant, toReach: target) }
                    return new
                }
                return (changed, try tenant.json(of: changed))
            }
        } existing: {
            try patch.name.flatMap($0.schedule(named:)).map { "/v1/schedules/\($0)" }
        }
        return .json(json).tagged(changed.revision)
    }

    func deleteSchedule(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.scheduleID()
        let revision = try Preconditions.requiredRevision(call.request)
        // A schedule's runs are deleted with it. If it runs every minute, that is half a million runs after a year.
        try await write(as: member, deadline: .seconds(60)) { tenant in
            try tenant.require(member.grant, toReach: id)
            try tenant.deleteSchedule(id, expecting: revision)
        }
        return .noContent
    }

    func previewSchedule(_ call: Call, _ member: Member) async throws -> Answer {
        let asked = try call.decode { reader -> (expression: CronExpression, zone: String, count: Int)? in
            let expression = reader.required("expression", .expression)
            let zone = reader.required("zone", .zone)
            let count = reader.optional("count", .int(in: 1...50), default: 10)
            guard let expression, let zone else { return nil }
            return (expression, zone, count)
        }
        let times = try await read(as: member) {
            try $0.preview(asked.expression, in: asked.zone, count: asked.count)
        }
        return .json([
            "expression": .string(asked.expression.text), "words": .string(asked.expression.inWords),
            "zone": .string(asked.zone), "runs": .array(times.map(\.json)),
        ])
    }

    func listRuns(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.scheduleID()
        let page = try call.page()
        let (from, until) = (try call.moment("from"), try call.moment("until"))
        let runs = try await read(as: member) {
            try $0.runs(of: id, page, from: from, until: until)
        }
        return call.list(runs, \.json)
    }

    func createRun(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.scheduleID()
        let run = try await write(as: member) { tenant in
            try tenant.require(member.grant, toReach: id)
            return try tenant.runNow(id)
        }
        jobsDoorbell.ring()
        return Answer.json(run.json, .accepted).with(.location, "/v1/schedules/\(id)/runs/\(run.id)")
    }

    func showRun(_ call: Call, _ member: Member) async throws -> Answer {
        let (id, runID) = (try call.scheduleID(), try call.runID())
        let run = try await read(as: member) { try $0.run(runID, of: id) }
        return .json(run.json)
    }

    func listOutcomes(_ call: Call, _ member: Member) async throws -> Answer {
        let (id, runID) = (try call.scheduleID(), try call.runID())
        let page = try call.page()
        let outcomes = try await read(as: member) { tenant in
            try tenant.outcomes(of: tenant.run(runID, of: id), page)
        }
        return call.list(outcomes, \.json)
    }
}

/// A change of a schedule.
private struct SchedulePatch: Sendable {
    private enum WantedState: String, CaseIterable {
        case active
        case paused
    }

    let state: Schedule.State?
    let reason: String?
    let name: String?
    private let target: Schedule.Target?
    private let expression: CronExpression?
    private let zone: String?
    private let message: String?
    private let catchUpSeconds: Int?

    init(reader: JSONObjectReader) {
        name = reader.replacement("name", .name)
        let host = reader.replacement("host", .host)
        let label = reader.replacement("label", .label)
        expression = reader.replacement("expression", .expression)
        zone = reader.replacement("zone", .zone)
        message = reader.replacement("message", .remark)
        catchUpSeconds = reader.replacement("catchUpSeconds", .int(in: Schedule.catchUpSeconds))
        state = reader.replacement("state", .choice(of: WantedState.self)).map { $0 == .active ? .active : .paused }
        reason = reader.optional("reason", .reason)
        target = host.map { .domain($0) } ?? label.map { .label($0) }
        if host != nil, label != nil {
            reader.fault("label", "one_target", "a schedule has a host or a label, not both")
        }
        if reason != nil, state != .paused {
            reader.fault("reason", "not_paused", "can only be sent with \"state\": \"paused\"")
        }
    }

    @Sendable func applied(to old: Schedule.Settings) -> Schedule.Settings {
        var new = old
        new.name = name ?? old.name
        new.target = target ?? old.target
        new.expression = expression ?? old.expression
        new.zone = zone ?? old.zone
        new.message = message ?? old.message
        new.catchUpSeconds = catchUpSeconds ?? old.catchUpSeconds
        return new
    }
}

extension Schedule.Settings {
    init?(reader: JSONObjectReader) {
        let name = reader.required("name", .name)
        let host = reader.optional("host", .host)
        let label = reader.optional("label", .label)
        let expression = reader.required("expression", .expression)
        let zone = reader.required("zone", .zone)
        let message = reader.optional("message", .remark, default: "")
        let catchUpSeconds = reader.optional(
            "catchUpSeconds", .int(in: Schedule.catchUpSeconds), default: Schedule.usualCatchUpSeconds)
        if host != nil, label != nil {
            reader.fault("label", "one_target", "a schedule has a host or a label, not both")
        } else if !reader.has("host"), !reader.has("label") {
            reader.fault("host", "required", "name a \"host\" or a \"label\"")
        }
        guard let name, let target = host.map({ Schedule.Target.domain($0) }) ?? label.map({ .label($0) }),
            let expression, let zone
        else { return nil }
        self.init(
            name: name, target: target, expression: expression, zone: zone, message: message,
            catchUpSeconds: catchUpSeconds)
    }
}

extension TenantTransaction {
    /// The schedules as JSON, each with its last run and with the freeze that currently stops it.
    func json(of schedules: [Schedule]) throws -> [JSONValue] {
        let runs = try lastRuns(of: schedules.map(\.id))
        let freezes = try freezes(covering: schedules.map(\.settings.target))
        return schedules.map { schedule in
            schedule.json(lastRun: runs[schedule.id]?.json, freeze: freezes[schedule.settings.target]?.json)
        }
    }

    fileprivate func json(of schedule: Schedule) throws -> JSONValue { try json(of: [schedule]).first ?? .null }
}

extension Schedule {
    fileprivate func json(lastRun: JSONValue?, freeze: JSONValue?) -> JSONValue {
        [
            "id": .string(id.description), "revision": .int(revision), "name": .string(settings.name),
            "host": .text(settings.target.host?.description), "label": .text(settings.target.label),
            "expression": .string(settings.expression.text), "words": .string(settings.expression.inWords),
            "zone": .string(settings.zone), "message": .string(settings.message),
            "catchUpSeconds": .int(settings.catchUpSeconds), "state": .string(state.rawValue), "reason": .text(reason),
            "nextDueAt": .rfc3339(nextDueAt), "overdue": .bool(isOverdue),
            "lastRun": lastRun ?? .null, "freeze": freeze ?? .null,
            "createdBy": creator.json, "createdAt": .time(createdAt), "updatedAt": .time(updatedAt),
        ]
    }
}

extension DueTime {
    var json: JSONValue {
        [
            "at": .rfc3339(moment), "local": .string(shown), "expressed": .string(local.description),
            "occurs": .string(occurs.rawValue), "note": .text(note),
        ]
    }

    /// The local time in the zone, with its offset (RFC 3339).
    private var shown: String {
        let clock = moment.addingTimeInterval(Double(offset)).formatted(Date.ISO8601FormatStyle()).dropLast()
        let minutes = abs(offset) / 60
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return clock + (offset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }

    private var note: String? {
        switch occurs {
        case .once: nil
        case .twice: "occurs twice; runs the first time"
        case .never: "does not exist on that day; runs right after the clocks go forward"
        }
    }
}

extension ScheduleRun {
    var json: JSONValue {
        [
            "id": .string(id.description), "schedule": .string(schedule.description), "kind": .string(kind.rawValue),
            "state": .string(state.rawValue), "dueAt": .time(dueAt), "missed": .int(missed),
            "firstMissedAt": .rfc3339(firstMissedAt), "domains": .int(hostCount),
            "outcomes": ScheduleOutcome.json(outcomes),
            "requestedBy": requester.json, "startedAt": .time(startedAt), "endedAt": .time(endedAt),
        ]
    }
}

extension ScheduleOutcome {
    /// The number of domains for each kind of outcome, including zeros.
    static func json(_ counts: [String: Int]) -> JSONValue {
        .object(JSONObject(Kind.names.map { ($0, .int(counts[$0] ?? 0)) }))
    }

    var json: JSONValue {
        var (publication, freeze, report): (JSONValue, JSONValue, JSONValue) = (.null, .null, .null)
        switch kind {
        case .published(let id): publication = .string(id.description)
        case .frozen(let id, _): freeze = .string(id.description)
        case .refused(let found): report = found
        case .unchanged, .failed: break
        }
        return [
            "host": .string(host.description), "outcome": .string(kind.name), "publication": publication,
            "freeze": freeze, "cause": .text(kind.cause), "report": report, "at": .time(at),
        ]
    }
}

extension JSONShape where Value == CronExpression {
    /// A cron expression. Each error in it is a separate fault.
    fileprivate static var expression: JSONShape<CronExpression> {
        JSONShape<CronExpression> { value, pointer, faults in
            guard let text = JSONShape<String>.text(max: 1 << 20).read(value, at: pointer, faults) else { return nil }
            do throws(InvalidCronExpression) {
                return try CronExpression(parsing: text)
            } catch {
                for fault in error.faults { faults.add(pointer, "invalid_expression", fault.description) }
                return nil
            }
        }
    }
}

extension JSONShape where Value == String {
    /// The name of a time zone.
    fileprivate static var zone: JSONShape<String> { .text(min: 1, max: 100) }
}

extension Call {
    fileprivate func scheduleID() throws -> ID<Schedule> { try id("schedule") }

    fileprivate func runID() throws -> ID<ScheduleRun> { try id("run", at: "run") }
}
