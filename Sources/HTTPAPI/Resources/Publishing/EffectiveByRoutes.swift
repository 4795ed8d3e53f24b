import FoundationEssentials
import Publishing
import Storage
import StrictJSON

/// `/v1/effective-by`: the latest time to publish a change so that devices have it by a given time.
extension API {
    func showEffectiveBy(_ call: Call, _ member: Member) async throws -> Answer {
        guard let time = try? Date(rfc3339: call.query("time") ?? "") else {
            throw APIError.invalidParameter("time", InvalidRFC3339().detail)
        }
        let now = try await read(as: member) { try $0.clock() }
        let effectiveBy = EffectiveBy(time)
        return .json([
            "effectiveBy": .rfc3339(time), "at": .rfc3339(effectiveBy.publishAt), "now": .time(now),
            "possible": .bool(effectiveBy.publishAt > now),
            "reachedIfPublishedNow": .time(EffectiveBy.reached(publishedAt: now)),
            "assumptions": .array(EffectiveBy.assumptions.map(\.json)),
        ])
    }
}

extension EffectiveBy.Assumption {
    fileprivate var json: JSONValue {
        [
            "code": .string(code), "seconds": .int(seconds), "detail": .string(detail), "source": .string(source),
        ]
    }
}
