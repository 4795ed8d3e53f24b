import HTTPTypes
import RawStructuredFieldValues
import Storage
import StrictJSON

/// Requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): a repeated request gets the first
/// answer, and the change is made at most once.
extension API {
    /// Handles a request. If it has a key that was used before, returns the kept answer or an error instead.
    ///
    /// - Throws: 400 `invalid_idempotency_key`, 422 `idempotency_key_reused`, 409 `idempotency_key_in_use` or
    ///   `idempotency_result_lost`, 429 `too_many_idempotency_keys`.
    func once(
        _ call: Call, _ owner: IdempotencyClaim.Owner?, _ answer: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        guard let key = try call.idempotencyKey(), let owner else { return try await answer() }
        let claim = IdempotencyClaim(key: key, owner: owner, fingerprint: call.fingerprint)
        switch try await use(of: claim) {
        case .none(isFull: false): break
        case .none(isFull: true): throw APIError.tooManyIdempotencyKeys(of: owner)
        case let use: return try Answer(repeating: use)
        }
        // A client that loses its connection repeats the request, so its end must not cancel the first one.
        return try await Task(executorPreference: threads) { try await take(claim, answer) }.value
    }

    private func take(
        _ claim: IdempotencyClaim, _ answer: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        do {
            let answer = try await IdempotencyClaim.$current.withValue(claim) { try await answer() }
            // Without the answer, the key still prevents a second change.
            if claim.isTaken { try? await end(claim, with: answer.kept) }
            return answer
        } catch is IdempotencyKeyTaken {
            return try Answer(repeating: try await use(of: claim))
        } catch {
            // The error may be later than the commit.
            if claim.isTaken { try? await end(claim, with: nil) }
            throw error
        }
    }

    private func use(of claim: IdempotencyClaim) async throws -> IdempotencyUse {
        switch claim.owner {
        case .caller(_, let organization): try await store.read(as: organization) { try $0.use(of: claim) }
        case .account: try await store.read { try $0.use(of: claim) }
        }
    }

    private func end(_ claim: IdempotencyClaim, with answer: KeptAnswer?) async throws {
        switch claim.owner {
        case .caller(_, let organization):
            try await store.write(as: organization, by: .system) { try $0.end(claim, with: answer) }
        case .account: try await store.write { try $0.end(claim, with: answer) }
        }
    }
}

extension Call {
    private static let keyLengths = 1...255

    /// The string in `Idempotency-Key`, or `nil` if the field is missing.
    func idempotencyKey() throws -> String? {
        guard let field = request.headerFields[.idempotencyKey] else { return nil }
        var parser = StructuredFieldValueParser(Array(field.utf8))
        guard let item = try? parser.parseItemFieldValue(), case .string(let key) = item.rfc9651BareItem,
            Self.keyLengths.contains(key.utf8.count)
        else { throw APIError.invalidIdempotencyKey }
        return key
    }

    /// The SHA-256 of the method, the path with its query, and the body.
    fileprivate var fingerprint: [UInt8] {
        digest(Array("\(request.method) \(request.path ?? "")\n".utf8) + body)
    }
}

extension Answer {
    /// The answer to keep for repeated requests, or `nil` if it is an error of the server.
    fileprivate var kept: KeptAnswer? {
        guard status.code < 500 else { return nil }
        return KeptAnswer(
            status: status.code, contentType: fields[.contentType], location: fields[.location], etag: fields[.eTag],
            body: holdsSecret || fields[.setCookie] != nil ? nil : body)
    }

    /// The answer to a repeated request.
    fileprivate init(repeating use: IdempotencyUse) throws {
        switch use {
        case .none, .running: throw APIError.idempotencyKeyInUse
        case .otherRequest: throw APIError.idempotencyKeyReused
        case .lost(let time):
            throw APIError.resultLost(
                "its answer was lost; GET /v1/events with `since` shows a change of an organization"
            )
            .with("madeAt", .rfc3339(time))
        case .answered(let kept):
            guard let body = kept.body else {
                let place = kept.location.map { "; the result is at \($0)" } ?? ""
                let problem = APIError.resultLost(
                    "its answer was not kept, because it contained a secret or was too long\(place)")
                throw kept.location.map(problem.naming(existing:)) ?? problem
            }
            self.init(.init(code: kept.status), fields: [.cacheControl: "no-store"], body: body)
            fields[.contentType] = kept.contentType
            fields[.location] = kept.location
            fields[.eTag] = kept.etag
            fields[.idempotencyReplayed] = "true"
        }
    }
}

extension APIError {
    fileprivate static let invalidIdempotencyKey = APIError(
        .badRequest, "invalid_idempotency_key",
        "Idempotency-Key must be a string of 1 to 255 ASCII characters in quotation marks, such as \"8e03978e-40d5\".")

    fileprivate static let idempotencyKeyReused = APIError(
        .unprocessableContent, "idempotency_key_reused",
        "This Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request.")

    fileprivate static let idempotencyKeyInUse = APIError(
        .conflict, "idempotency_key_in_use",
        "A request with this Idempotency-Key is in progress. Repeat yours later, with the same key."
    ).with(.retryAfter, "1")

    fileprivate static func tooManyIdempotencyKeys(of owner: IdempotencyClaim.Owner) -> APIError {
        let user = if case .account = owner { "You have" } else { "Your organization has" }
        return APIError(
            .tooManyRequests, "too_many_idempotency_keys",
            "\(user) used \(owner.maximumKeys) keys in the last 24 hours, which is the limit. Try again later, or "
                + "without Idempotency-Key."
        ).with(.retryAfter, "3600")
    }

    fileprivate static func resultLost(_ reason: String) -> APIError {
        APIError(
            .conflict, "idempotency_result_lost",
            "A request with this Idempotency-Key made its change, but \(reason). The change was not repeated. Use a new "
                + "key for a new change.")
    }
}
