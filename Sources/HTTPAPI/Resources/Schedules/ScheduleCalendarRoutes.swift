import Cron
import FoundationEssentials
import Storage
import StrictJSON

/// `/v1/schedule-calendar`: past and future runs of schedules, by day in a time zone.
extension API {
    func showScheduleCalendar(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let zone = call.query("zone") ?? ""
        let days = CalendarDays(
            first: try call.firstDay(), count: try call.query("days", in: CalendarDays.counts, default: 42), zone: zone)
        do {
            let (items, next) = try await read(as: member) { tenant in
                let calendar = try tenant.scheduleCalendar(days, page)
                let schedules = try tenant.json(of: calendar.items.map(\.schedule))
                return (zip(calendar.items, schedules).map { $0.json($1) }, calendar.next)
            }
            return call.list(items, next: next)
        } catch StorageError.unknownZone {
            throw APIError.invalidParameter("zone", "must be an IANA time zone, such as Europe/Berlin")
        }
    }
}

extension ScheduleCalendar {
    fileprivate func json(_ schedule: JSONValue) -> JSONValue {
        ["schedule": schedule, "often": .bool(isOften), "days": .array(days.map(\.json))]
    }
}

extension ScheduleDay {
    fileprivate var json: JSONValue {
        ["date": .string(date), "ran": ran?.json ?? .null, "due": .array(due.map(\.json))]
    }
}

extension DayRuns {
    fileprivate var json: JSONValue {
        [
            "runs": .int(count), "run": .text(only?.description), "firstDueAt": .time(first), "lastDueAt": .time(last),
            "running": .int(running), "missed": .int(missed), "outcomes": ScheduleOutcome.json(outcomes),
        ]
    }
}

extension Call {
    /// The years that the calendar supports. In these years, every local day can be converted to a time in every zone.
    private static let calendarYears = 1970...2199

    fileprivate func firstDay() throws -> LocalTime {
        guard let day = LocalTime((query("from") ?? "") + " 00:00"), Self.calendarYears.contains(day.year) else {
            throw APIError.invalidParameter("from", "must be a day from 1970 to 2199, such as 2026-11-01")
        }
        return day
    }
}
