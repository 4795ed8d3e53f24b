import Logging
import Metrics
import ObjectStore
import Postgres
import Storage

/// Looking after objects that are due, as many at once as there is room for.
extension BucketPusher {
    private enum Event: Equatable {
        /// An object has been looked after: there is room for another.
        case ended(BucketPlaces.Verdict)
        /// There has been room for a while.
        case rested
        /// Something may have gone live, or be due.
        case rung
    }

    /// What was found when it was looked for.
    private struct Found: Sendable {
        var objects: [SinkObject] = []
        var changesWait = false
    }

    /// Pushes until it is cancelled. An object that ends makes room for the next one, however long the others take.
    func push(to sink: Sink) async {
        await withTaskGroup(of: Event.self) { group in
            var places = BucketPlaces(width: Self.width)
            var claimed = 0
            var (moreMayWait, isResting) = (false, false)
            var event = Event.rung
            while !Task.isCancelled {
                // A bucket that fails has its rest before each try, whatever else happens.
                let room = places.isFailing && event != .rested ? 0 : places.free
                if event == .rung || (moreMayWait && (event == .rested || room >= Self.bite)) {
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
                    let rest = places.isFailing ? failingRest : Self.rest
                    group.addTask { await self.rest(rest) }
                }
                event = await group.next() ?? .rung
                if event == .rested { isResting = false }
                if case .ended(let verdict) = event { await end(verdict, in: &places, of: sink) }
            }
        }
    }

    /// Gives a place back, and says so when the bucket fails as a whole, or does not any more.
    private func end(_ verdict: BucketPlaces.Verdict, in places: inout BucketPlaces, of sink: Sink) async {
        let wasFailing = places.isFailing
        places.end(verdict)
        if places.isFailing, case .failed(let cause) = verdict {
            if !wasFailing {
                logger.warning(
                    "A bucket fails whatever it is asked; one object at a time is tried until one succeeds.",
                    metadata: ["cause": "\(cause)"])
            }
            await logged { try await store.write { try $0.note(sink, failure: cause) } }
        } else if wasFailing, !places.isFailing {
            logger.notice("A bucket that failed does what it is asked again.")
            await logged { try await store.write { try $0.note(sink, failure: nil) } }
        }
    }

    /// Claims what there is room for; `nil` after an error, which is logged.
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

    /// Without a pause it is when the next object is due.
    private func ring(_ sink: Sink, after pause: Duration?) async -> Event {
        var pause = pause
        if pause == nil {
            let due = await logged { try await store.read { try $0.nextObjectDue(of: sink) } } ?? nil
            pause = due.map { max($0, .milliseconds(10)) }
        }
        await doorbell.wait(atMost: min(pause ?? Self.pollInterval, Self.pollInterval))
        return .rung
    }

    private func rest(_ duration: Duration) async -> Event {
        try? await Task.sleep(for: duration)
        return .rested
    }

    private func push(_ object: SinkObject, until end: ContinuousClock.Instant) async -> Event {
        let (outcome, verdict) = await outcome(of: object, until: end)
        Counter(label: "waymark_bucket_pushes_total", dimensions: dimensions + [("outcome", outcome)]).increment()
        return .ended(verdict)
    }

    /// What came of it, for the metrics, and what that says of the bucket.
    private func outcome(
        of object: SinkObject, until end: ContinuousClock.Instant
    ) async -> (String, BucketPlaces.Verdict) {
        let about: Logger.Metadata = ["host": "\(object.host)", "path": "\(object.path)"]
        do {
            let outcome = try await BucketPush(store: store, target: target, object: object, end: end).carryOut()
            if outcome == .repaired { logger.warning("An object that was changed is repaired.", metadata: about) }
            return (outcome.rawValue, .sound)
        } catch is SinkObjectLost {
            logger.info("An object is no longer this worker's.", metadata: about)
            return ("lost", .unknown)
        } catch let error where Task.isCancelled || (error as? PostgresError)?.isUnavailable == true {
            // Shut down, or without a database: nothing is wrong with the bucket.
            await Task { await logged { try await store.write { try $0.giveBack(object) } } }.value
            return ("given_back", .unknown)
        } catch {
            await fail(object, error, about)
            // What is wrong with one object alone says nothing against the bucket, which has let itself be read.
            return ("failed", error is ObjectStoreError ? .failed("\(error)") : .sound)
        }
    }

    private func fail(_ object: SinkObject, _ error: any Error, _ about: Logger.Metadata) async {
        let detail = (error as? ObjectStoreError)?.detail ?? ""
        logger.warning(
            "An object is not what it shall be; it is tried again.",
            metadata: about.merging(
                ["cause": "\(error)", "detail": "\(detail)", "attempt": "\(object.attempts)"], uniquingKeysWith: { $1 })
        )
        let pause = min(Backoff.seconds(after: object.attempts), Self.longestPause * .random(in: 0.75...1.5))
        do {
            try await store.write { try $0.postpone(object, seconds: pause, cause: "\(error)") }
        } catch {
            // There is something new for it, or its lease runs out.
        }
    }
}
