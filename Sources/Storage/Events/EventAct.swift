import FoundationEssentials

/// A bulk act: one decision with many events.
public enum EventAct: Hashable, Sendable, CustomStringConvertible {
    /// A release.
    case release(ID<Release>)
    /// A replacement of an app.
    case replacement(ID<Replacement>)
    /// A run of a schedule.
    case run(ID<ScheduleRun>)

    /// Reads ``description``. Returns `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let id = String(parts[1])
        switch parts[0] {
        case "release": self.init(ID<Release>(id), EventAct.release)
        case "replacement": self.init(ID<Replacement>(id), EventAct.replacement)
        case "run": self.init(ID<ScheduleRun>(id), EventAct.run)
        default: return nil
        }
    }

    private init?<Kind>(_ id: ID<Kind>?, _ act: (ID<Kind>) -> EventAct) {
        guard let id else { return nil }
        self = act(id)
    }

    /// The act as stored and in the API: `release:` and the ID.
    public var description: String {
        switch self {
        case .release(let id): "release:\(id)"
        case .replacement(let id): "replacement:\(id)"
        case .run(let id): "run:\(id)"
        }
    }
}
