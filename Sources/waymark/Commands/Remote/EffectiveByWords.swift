import StrictJSON

/// Texts about the time by which devices must have a change.
enum EffectiveByWords {
    /// Prints the publishing time and the assumptions to standard error. Ignores an invalid time, because the request
    /// itself reports it.
    static func tell(_ time: String, _ api: RemoteAPI) async throws {
        let answer = try await api.get("/v1/effective-by?time=\(RemoteAPI.segment(time))")
        guard answer.status == 200, answer.body["possible"]?.bool == true else { return }
        Console.complain(
            "To be on devices by \(time), it goes live at \(answer.body["at"]?.string ?? ""). Assumptions:")
        for assumption in answer.body["assumptions"]?.array ?? [] {
            Console.complain("- \(assumption["detail"]?.string ?? "") (\(assumption["source"]?.string ?? ""))")
        }
    }

    /// The time by which devices must have the change, or the delay if it is late. `nil` if the change has no such
    /// time.
    static func reach(of change: JSONValue) -> String? {
        let state = change["state"]?.string ?? ""
        guard let time = change["effectiveBy"]?.string, ["judging", "scheduled", "running", "live"].contains(state)
        else { return nil }
        guard let late = change["late"]?.number?.int else { return "on devices by \(time)" }
        return "\(late) s too late to be on devices by \(time)"
    }
}
