import StrictJSON

/// What is said of the time by which a change has to have reached devices.
enum EffectiveByWords {
    /// Says when a change goes live for that, and what it rests on, on standard error. A time that makes no sense is left
    /// to the request that it is for.
    static func tell(_ time: String, _ api: RemoteAPI) async throws {
        let answer = try await api.get("/v1/effective-by?time=\(RemoteAPI.segment(time))")
        guard answer.status == 200, answer.body["possible"]?.bool == true else { return }
        Console.complain("To have reached devices by \(time), it goes live at \(answer.body["at"]?.string ?? ""):")
        for assumption in answer.body["assumptions"]?.array ?? [] {
            Console.complain("- \(assumption["detail"]?.string ?? "") (\(assumption["source"]?.string ?? ""))")
        }
    }

    /// By when a publication or a release has to have reached devices, or that it is too late for that; nil where nobody
    /// said.
    static func reach(of change: JSONValue) -> String? {
        let state = change["state"]?.string ?? ""
        guard let time = change["effectiveBy"]?.string, ["judging", "scheduled", "running", "live"].contains(state)
        else { return nil }
        guard let late = change["late"]?.number?.int else { return "to have reached devices by \(time)" }
        return "\(late) s too late to have reached devices by \(time)"
    }
}
