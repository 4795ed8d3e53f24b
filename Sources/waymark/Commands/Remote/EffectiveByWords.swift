import StrictJSON

/// Texts about the time by which a change must have reached devices.
enum EffectiveByWords {
    /// Writes to standard error when the change goes live, and the assumptions. Ignores an invalid time: the request
    /// that it is for will report it.
    static func tell(_ time: String, _ api: RemoteAPI) async throws {
        let answer = try await api.get("/v1/effective-by?time=\(RemoteAPI.segment(time))")
        guard answer.status == 200, answer.body["possible"]?.bool == true else { return }
        Console.complain(
            "To be on devices by \(time), it goes live at \(answer.body["at"]?.string ?? ""). Assumptions:")
        for assumption in answer.body["assumptions"]?.array ?? [] {
            Console.complain("- \(assumption["detail"]?.string ?? "") (\(assumption["source"]?.string ?? ""))")
        }
    }

    /// When a publication or a release must have reached devices, or how much too late it is; nil if this was not
    /// requested.
    static func reach(of change: JSONValue) -> String? {
        let state = change["state"]?.string ?? ""
        guard let time = change["effectiveBy"]?.string, ["judging", "scheduled", "running", "live"].contains(state)
        else { return nil }
        guard let late = change["late"]?.number?.int else { return "on devices by \(time)" }
        return "\(late) s too late to be on devices by \(time)"
    }
}
