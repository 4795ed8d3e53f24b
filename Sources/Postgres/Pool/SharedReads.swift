import CLibPQ
import DequeModule
import FoundationEssentials
import NIOConcurrencyHelpers
import Timing

/// Collects statements from many callers and sends them in batches. While one batch runs, new statements are collected
/// for the next batch. So threads are switched once per batch, not once per statement.
///
/// A batch has one transaction for each organization. If a statement fails, the statements of its transaction run
/// again, each on its own. If the batch takes too long or the connection is lost, all its statements do. This is safe,
/// because they only read.
final class SharedReads: Sendable {
    /// The maximum number of statements in a batch.
    private static let batch = 64
    /// The number of batches that run before another caller can use the connection.
    private static let turns = 32
    /// The time limit for a batch. A slow statement delays the others in its batch. After this limit, each runs on its
    /// own.
    private static let patience: Duration = .milliseconds(500)
    /// The maximum number of connections. With two, one can send while the other waits for the server.
    private static let maximumLanes = 2

    private struct State {
        var waiting = Deque<SharedRead>()
        /// The number of connections in use or requested.
        var lanes = 0
    }

    private let core: PoolCore
    private let state = NIOLockedValueBox(State())

    init(core: PoolCore) {
        self.core = core
    }

    /// Adds a statement to the queue. If the queue is full, the statement is refused.
    func add(_ read: SharedRead) {
        let (isTaken, needsLane) = state.withLockedValue { state in
            guard state.waiting.count < core.configuration.maximumWaiters else { return (false, false) }
            state.waiting.append(read)
            guard state.lanes < Self.maximumLanes else { return (true, false) }
            state.lanes += 1
            return (true, true)
        }
        if !isTaken { read.finish(.refused(core.crowded())) }
        if needsLane { askForConnection() }
    }

    private func askForConnection() {
        let pending = PendingAccess(deadline: .now + core.configuration.deadline) { connection, _ in
            self.serve(connection)
        } refuse: { error in
            self.giveUp(error)
        }
        core.submit(pending)
    }

    /// Runs batches until no statement is waiting, the limit of batches is reached, or the connection fails.
    ///
    /// - Returns: A closure that runs after the connection was given to its next user. It requests another connection
    ///   if statements may still be waiting.
    private func serve(_ connection: Connection) -> @Sendable () -> Void {
        for _ in 0..<Self.turns {
            let reads = nextBatch()
            if reads.isEmpty { return {} }
            run(reads, on: connection)
            guard connection.isFit else { break }
        }
        return { self.askForConnection() }
    }

    /// Returns the next batch. If no statement is waiting, the batch is empty and the connection is no longer counted.
    private func nextBatch() -> [SharedRead] {
        let now = MonotonicInstant.now
        let (reads, late) = state.withLockedValue { state in
            var reads: [SharedRead] = []
            var late: [SharedRead] = []
            while reads.count < Self.batch, let read = state.waiting.popFirst() {
                if read.deadline <= now { late.append(read) } else if !read.isOver { reads.append(read) }
            }
            if reads.isEmpty { state.lanes -= 1 }
            return (reads, late)
        }
        for read in late { read.finish(.refused(PostgresError(.deadline, "while waiting for a connection"))) }
        return reads
    }

    /// Handles a refused request for a connection. If no other connection is in use or requested, all waiting
    /// statements are refused.
    private func giveUp(_ error: PostgresError) {
        let reads = state.withLockedValue { state in
            state.lanes -= 1
            guard state.lanes == 0 else { return Deque<SharedRead>() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for read in reads { read.finish(.refused(error)) }
    }

    private func run(_ reads: [SharedRead], on connection: Connection) {
        var pipelines: [Pipeline] = []
        var housekeeping = Pipeline()
        connection.planHousekeeping(into: &housekeeping.steps)
        if !housekeeping.steps.isEmpty { pipelines.append(housekeeping) }
        var announced: [PreparedStatements.Key: String] = [:]
        for reads in Self.byOrganization(reads) {
            pipelines.append(Pipeline(reads, on: connection, announced: &announced))
        }
        let results: [[ResultSet]]
        do throws(PostgresError) {
            results = try connection.wire.run(
                each: pipelines.map { $0.steps.map(\.command) }, until: .now + Self.patience, cancellation: nil)
        } catch {
            for read in reads { read.finish(.alone) }
            return
        }
        let areDone = zip(pipelines, results).map { note($0.steps, $1, on: connection) }
        if results.joined().contains(where: { $0.error?.isStaleStatement == true }) { connection.statements.reset() }
        if connection.wire.transactionStatus != PQTRANS_IDLE { connection.wire.isBroken = true }
        for (number, pipeline) in pipelines.enumerated() {
            for (read, answer) in pipeline.reads {
                read.finish(areDone[number] ? .rows(results[number][answer].rows) : .alone)
            }
        }
    }

    /// Groups the statements by organization, in order of arrival.
    private static func byOrganization(_ reads: [SharedRead]) -> [[SharedRead]] {
        var numbers: [UUID?: Int] = [:]
        var groups: [[SharedRead]] = []
        for read in reads {
            if let number = numbers[read.access.organization] {
                groups[number].append(read)
            } else {
                numbers[read.access.organization] = groups.count
                groups.append([read])
            }
        }
        return groups
    }

    /// Records the results of the steps. Returns true if all steps succeeded.
    private func note(_ steps: [Step], _ results: [ResultSet], on connection: Connection) -> Bool {
        for (step, result) in zip(steps, results) {
            if let error = result.error {
                if error.endsConnection { connection.wire.isBroken = true }
                return false
            }
            connection.note(step)
        }
        return true
    }

    /// The commands up to one Sync message. They form one transaction.
    private struct Pipeline {
        var steps: [Step] = []
        /// The statements, each with the index of the step whose result it needs.
        var reads: [(SharedRead, answer: Int)] = []

        init() {}

        /// Creates a pipeline that sets the organization and then runs its statements.
        init(
            _ shared: [SharedRead], on connection: Connection, announced: inout [PreparedStatements.Key: String]
        ) {
            connection.plan(shared[0].access.prologue(limits: nil), into: &steps, announced: &announced)
            for read in shared {
                connection.plan(read.statement, into: &steps, announced: &announced)
                reads.append((read, answer: steps.count - 1))
            }
        }
    }
}

/// A statement that waits for its result.
final class SharedRead: Sendable {
    enum Answer {
        case rows([Row])
        /// The statement must run again, outside a batch.
        case alone
        case refused(PostgresError)
    }

    private enum State {
        case new
        case waiting(CheckedContinuation<Answer, Never>)
        case over
    }

    let access: Access
    let statement: SQL
    let deadline: MonotonicInstant
    private let state = NIOLockedValueBox(State.new)

    init(organization: UUID?, statement: SQL, deadline: MonotonicInstant) {
        access = Access(organization: organization, mayWrite: false)
        self.statement = statement
        self.deadline = deadline
    }

    /// True if the caller no longer waits, for example because its task was cancelled.
    var isOver: Bool {
        state.withLockedValue { if case .over = $0 { true } else { false } }
    }

    /// Waits for the result. Returns `.alone` immediately if the task is cancelled.
    func answer(from reads: SharedReads) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLockedValue { state in
                    if case .over = state { return false }
                    state = .waiting(continuation)
                    return true
                }
                if isWaiting { reads.add(self) } else { continuation.resume(returning: .alone) }
            }
        } onCancel: {
            finish(.alone)
        }
    }

    /// Delivers the result. Only the first call has an effect.
    func finish(_ answer: Answer) {
        let continuation: CheckedContinuation<Answer, Never>? = state.withLockedValue { state in
            defer { state = .over }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(returning: answer)
    }
}
