import Storage
import StrictJSON

/// `/livez`, `/readyz`, and the API's contract.
extension API {
    func livez(_ call: Call) async throws -> Answer {
        .json(["status": "ok"])
    }

    func readyz(_ call: Call) async throws -> Answer {
        _ = try await store.read { try $0.lastActivation() }
        return .json(["status": "ok"])
    }

    func showContract(_ call: Call) async throws -> Answer {
        contract.answer(to: call.request)
    }
}
