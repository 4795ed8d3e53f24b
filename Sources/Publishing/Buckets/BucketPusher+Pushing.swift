import Logging
import Metrics
import ObjectStore
import Postgres
import Storage
import Timing

/// Processes the objects that are due, as many at once as the circuit breaker allows.
extension BucketPusher {
    private enum Event: Equatable {
        /// An object has been processed, so there is room for another.
        case ended(BucketCircuitBreaker.Verdict)
        /// There has been room for a while, or the pause of a failing bucket is over.
        case rested(isFailing: Bool)
        /// Something may have gone live or become due.
        case rung
    }

    /// The result of looking for work.
    private struct Found: Sendable {
        var objects: [SinkObject] = []
        var changesWait = false
    }

    /// Pushes until it is cancelled. An object that ends makes room for the next one, however long the others take.
    func push(to sink: Sink) async {
        tell(isFailing: sink.wasFailing)
        await withTaskGroup(of: Event.self) { group in
            var places = BucketCircuitBreaker(width: Self.width, isFailing: sink.wasFailing)
            var claimed = 0
            var (moreMayWait, isResting) = (false, false)
            var event = Event.rung
            while !Task.isCancelled {
                // A failing bucket pauses before each attempt, whatever else happens.
                let hasRested = event == .rested(isFailing: places.isFailing)
                let room = places.isFailing && !hasRested ? 0 : places.free
                if event == .rung || (moreMayWait && (hasRested || room >= Self.bite)) {
                    let end = ContinuousClock.now + .seconds(Self.leaseSeconds)
                    let found = await look(for: sink, room, after: claimed, queuesChanges: event == .rung)
                    for object in found?.objects ?? [] { group.addTask { await push(object, until: end) } }
                    moreMayWait = found?.objects.count == room
                    places.take(found?.objects.count ?? 0)
                    claimed += found?.objects.count ?? 0
                    if event == .rung {
                        var pause = found == nil || moreMayWait ? Self.pollInterval : nil
                        if found?.changesWait == true { pause = .zero }
                        group.addTask { [pause] in await ring(sink, after: pause) }
                    }
                }
                if moreMayWait, places.free > 0, !isResting {
                    isResting = true
                    let isFailing = places.isFailing
                    group.addTask { await rest(isFailing) }
                }
                event = await group.next() ?? .rung
                if case .rested = event { isResting = false }
                if case .ended(let verdict) = event { await end(verdict, in: &places, of: sink) }
            }
        }
    }

    /// Frees a place, and logs it if the bucket starts or stops failing as a whole.
    private func end(_ verdict: BucketCircuitBreaker.Verdict, in places: inout BucketCircuitBreaker, of sink: Sink)
        async
    {
        let wasFailing = places.isFailing
        places.end(verdict)
        let isSaid = wasFailing == places.isFailing
        if places.isFailing, case .unread(let cause, _) = verdict {
            if !isSaid {
                logger.warning(
                    "A bucket cannot be read, whatever is asked for; one object at a time is tried until one can be.",
                    metadata: ["cause": "\(cause)"])
            }
            // Objects that were already being processed then give no new information.
            if !isSaid || places.taken == 0 {
                await logged { try await store.write { try $0.note(sink, failure: cause) } }
            }
        } else if !isSaid {
            logger.notice("A bucket that could not be read can be read again.")
            await logged { try await store.write { try $0.note(sink, failure: nil) } }
        }
        if !isSaid { tell(isFailing: places.isFailing) }
    }

    private func tell(isFailing: Bool) {
        Gauge(label: "waymark_bucket_failing", dimensions: dimensions).record(isFailing ? 1 : 0)
    }

    /// Claims as many objects as there is room for; `nil` after an error, which is logged.
    private func look(for sink: Sink, _ room: Int, after claimed: Int, queuesChanges: Bool) async -> Found? {
        await logged {
            var found = Found()
            if queuesChanges { found.changesWait = try await store.write { try $0.queueChanges(of: sink) } }
            guard room > 0 else { return found }
            found.objects = try await store.write {
                try $0.claimObjects(of: sink, atMost: room, after: claimed, leaseSeconds: Self.leaseSeconds)
            }
            return found
        }
    }

    /// Without a pause, waits until the next object is due.
    private func ring(_ sink: Sink, after pause: Duration?) async -> Event {
        var pause = pause
        if pause == nil {
            let due = await logged { try await store.read { try $0.nextObjectDue(of: sink) } } ?? nil
            pause = due.map { max($0, .milliseconds(10)) }
        }
        await doorbell.wait(atMost: min(pause ?? Self.pollInterval, Self.pollInterval))
        return .rung
    }

    private func rest(_ isFailing: Bool) async -> Event {
        try? await Task.sleep(for: isFailing ? failingRest : Self.rest)
        return .rested(isFailing: isFailing)
    }

    private func push(_ object: SinkObject, until end: ContinuousClock.Instant) async -> Event {
        let (outcome, verdict) = await outcome(of: object, until: end)
        Counter(label: "waymark_bucket_pushes_total", dimensions: dimensions + [("outcome", outcome)]).increment()
        return .ended(verdict)
    }

    /// The result for the metrics, and what it shows about the bucket.
    private func outcome(
        of object: SinkObject, until end: ContinuousClock.Instant
    ) async -> (String, BucketCircuitBreaker.Verdict) {
        let about: Logger.Metadata = ["host": "\(object.host)", "path": "\(object.path)"]
        do {
            let outcome = try await BucketPush(store: store, target: target, object: object, end: end).run()
            if outcome == .repaired { logger.warning("An object that was changed is repaired.", metadata: about) }
            return (outcome.rawValue, .sound)
        } catch is SinkObjectLost {
            logger.info("An object is no longer this worker's.", metadata: about)
            return ("lost", .unknown)
        } catch let error where Task.isCancelled || (error as? PostgresError)?.isUnavailable == true {
            // The service is shutting down, or the database is unavailable. The bucket is not at fault.
            await Task { await logged { try await store.write { try $0.giveBack(object) } } }.value
            return ("given_back", .unknown)
        } catch let error as BucketPush.Unread {
            await fail(object, error.cause, about)
            return ("failed", .unread("\(error.cause)", isFirst: object.attempts == 1))
        } catch {
            await fail(object, error, about)
            return ("failed", .sound)
        }
    }

    private func fail(_ object: SinkObject, _ error: any Error, _ about: Logger.Metadata) async {
        let detail = (error as? ObjectStoreError)?.detail ?? ""
        logger.warning(
            "An object is not what it shall be; it is tried again.",
            metadata: about.merging(
                ["cause": "\(error)", "detail": "\(detail)", "attempt": "\(object.attempts)"], uniquingKeysWith: { $1 })
        )
        let pause = Self.backoff.pause(afterFailures: object.attempts) / .seconds(1)
        do {
            try await store.write { try $0.postpone(object, seconds: pause, cause: "\(error)") }
        } catch {
            // The host has changed, or the lease will end.
        }
    }
}
