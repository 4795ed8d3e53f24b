import Logging
import Metrics
import ObjectStore
import Postgres
import Storage
import Timing

/// Processes due objects. The circuit breaker limits how many run at the same time.
extension BucketPusher {
    private enum Event: Equatable {
        /// An object has been processed, so another one can start.
        case ended(BucketCircuitBreaker.Verdict)
        /// A pause is over. It was either a short one while slots were free, or the longer one of a failing bucket.
        case pauseEnded(isFailing: Bool)
        /// A live version may have changed, or an object may be due.
        case woken
    }

    /// The result of a search for due objects.
    private struct Found: Sendable {
        var objects: [SinkObject] = []
        var changesWait = false
    }

    /// Pushes until the task is cancelled. When an object is done, the next one starts, even if others take longer.
    func push(to sink: Sink) async {
        record(isFailing: sink.wasFailing)
        await withTaskGroup(of: Event.self) { group in
            var breaker = BucketCircuitBreaker(width: Self.width, isFailing: sink.wasFailing)
            var claimed = 0
            var (moreMayWait, isPausing) = (false, false)
            var event = Event.woken
            while !Task.isCancelled {
                // While a bucket is failing, an attempt starts only after a pause, whatever other events arrive.
                let hasPaused = event == .pauseEnded(isFailing: breaker.isFailing)
                let room = breaker.isFailing && !hasPaused ? 0 : breaker.free
                if event == .woken || (moreMayWait && (hasPaused || room >= Self.batchSize)) {
                    let end = ContinuousClock.now + .seconds(Self.leaseSeconds)
                    let found = await look(for: sink, room, after: claimed, queuesChanges: event == .woken)
                    for object in found?.objects ?? [] { group.addTask { await push(object, until: end) } }
                    moreMayWait = found?.objects.count == room
                    breaker.take(found?.objects.count ?? 0)
                    claimed += found?.objects.count ?? 0
                    if event == .woken {
                        var pause = found == nil || moreMayWait ? Self.pollInterval : nil
                        if found?.changesWait == true { pause = .zero }
                        group.addTask { [pause] in await waitForWork(sink, after: pause) }
                    }
                }
                if moreMayWait, breaker.free > 0, !isPausing {
                    isPausing = true
                    let isFailing = breaker.isFailing
                    group.addTask { await pause(isFailing) }
                }
                event = await group.next() ?? .woken
                if case .pauseEnded = event { isPausing = false }
                if case .ended(let verdict) = event { await end(verdict, in: &breaker, of: sink) }
            }
        }
    }

    /// Frees a slot. Logs when the bucket starts or stops failing.
    private func end(_ verdict: BucketCircuitBreaker.Verdict, in breaker: inout BucketCircuitBreaker, of sink: Sink)
        async
    {
        let wasFailing = breaker.isFailing
        breaker.end(verdict)
        let isUnchanged = wasFailing == breaker.isFailing
        if breaker.isFailing, case .unread(let cause, _) = verdict {
            if !isUnchanged {
                logger.warning(
                    "A bucket cannot be read. One object at a time is retried until one can be read.",
                    metadata: ["cause": "\(cause)"])
            }
            // Objects that started before the failure was known show nothing new.
            if !isUnchanged || breaker.taken == 0 {
                await logged { try await store.write { try $0.note(sink, failure: cause) } }
            }
        } else if !isUnchanged {
            logger.notice("A bucket that could not be read can be read again.")
            await logged { try await store.write { try $0.note(sink, failure: nil) } }
        }
        if !isUnchanged { record(isFailing: breaker.isFailing) }
    }

    private func record(isFailing: Bool) {
        Gauge(label: "waymark_bucket_failing", dimensions: dimensions).record(isFailing ? 1 : 0)
    }

    /// Claims due objects, at most `room`. Logs errors and returns `nil`.
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

    /// Waits for `pause`. If it is `nil`, waits until the next object is due. A ring of the doorbell or the poll
    /// interval ends the wait earlier.
    private func waitForWork(_ sink: Sink, after pause: Duration?) async -> Event {
        var pause = pause
        if pause == nil {
            let due = await logged { try await store.read { try $0.nextObjectDue(of: sink) } } ?? nil
            pause = due.map { max($0, .milliseconds(10)) }
        }
        await doorbell.wait(atMost: min(pause ?? Self.pollInterval, Self.pollInterval))
        return .woken
    }

    private func pause(_ isFailing: Bool) async -> Event {
        try? await Task.sleep(for: isFailing ? failingPause : Self.pause)
        return .pauseEnded(isFailing: isFailing)
    }

    private func push(_ object: SinkObject, until end: ContinuousClock.Instant) async -> Event {
        let (outcome, verdict) = await outcome(of: object, until: end)
        Counter(label: "waymark_bucket_pushes_total", dimensions: dimensions + [("outcome", outcome)]).increment()
        return .ended(verdict)
    }

    /// Pushes the object. Returns the outcome for the metrics, and what it shows about the bucket.
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
            // The service is shutting down, or the database is unavailable. Neither is a problem of the bucket.
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
            "An object is not in its desired state. It will be retried.",
            metadata: about.merging(
                ["cause": "\(error)", "detail": "\(detail)", "attempt": "\(object.attempts)"], uniquingKeysWith: { $1 })
        )
        let pause = Self.backoff.pause(afterFailures: object.attempts) / .seconds(1)
        do {
            try await store.write { try $0.postpone(object, seconds: pause, cause: "\(error)") }
        } catch {
            // The host has changed meanwhile, or the lease is about to end.
        }
    }
}
