import AASA
import HTTPTypes
import Storage
import StrictJSON

/// `/v1/domains/{host}/withdrawals`: takes a host out of service after a grace period. Until then, a withdrawal can be
/// undone.
extension API {
    func listWithdrawals(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let page = try call.page()
        let withdrawals = try await read(as: member) { try $0.withdrawals(host, page) }
        return call.list(withdrawals, \.json)
    }

    func createWithdrawal(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let request = try call.decode { reader -> (reason: String, graceSeconds: Int)? in
            let reason = reader.required("reason", .reason)
            let graceSeconds = reader.optional("graceSeconds", .int(in: Grace.seconds), default: Grace.usualSeconds)
            guard let reason else { return nil }
            return (reason, graceSeconds)
        }
        let made = try await write(as: member) {
            try $0.createWithdrawal(of: host, reason: request.reason, graceSeconds: request.graceSeconds)
        }
        return Answer.json(made.json, .accepted).with(.location, "/v1/domains/\(host)/withdrawals/\(made.id)")
    }

    func showWithdrawal(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.withdrawalID()
        return .json(try await read(as: member) { try $0.withdrawal(id, of: host) }.json)
    }

    func cancelWithdrawal(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let id = try call.withdrawalID()
        let cancelled = try await write(as: member) {
            try $0.cancelWithdrawal(id, of: host)
        }
        return .json(cancelled.json)
    }
}

/// The time between the request for a withdrawal and its effect.
private enum Grace {
    /// The allowed values: one minute to 30 days, in seconds.
    static let seconds = 60...30 * 86_400
    /// The default: one day, in seconds.
    static let usualSeconds = 86_400
}

extension Withdrawal {
    var json: JSONValue {
        [
            "id": .string(id.description), "host": .string(host.description), "state": .string(state.rawValue),
            "reason": .string(reason), "requestedBy": requester.json, "createdAt": .time(createdAt),
            "dueAt": .time(dueAt), "endedAt": .time(endedAt), "activation": .number(activation),
            "cause": .text(cause),
        ]
    }
}

extension Call {
    fileprivate func withdrawalID() throws -> ID<Withdrawal> { try id("withdrawal") }
}
