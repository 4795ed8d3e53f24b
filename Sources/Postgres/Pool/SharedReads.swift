import CLibPQ
import DequeModule
import FoundationEssentials
import NIOConcurrencyHelpers
import Timing

/// Collects statements from many callers and sends them in batches. While one batch is running, new statements are
/// collected for the next batch. So the cost of a switch between threads occurs once per batch, not once per statement.
///
/// A transaction contains the statements of one organization. If a batch has any problem (a statement of its
/// transaction is refused, it takes too long, the connection is lost), its callers read again separately. Reading twice
/// is harmless.
final class SharedReads: Sendable {
    /// The maximum number of statements in a batch.
    private static let batch = 64
    /// The number of batches after which another caller can use the connection.
    private static let turns = 32
    /// The time limit for a batch. A slower statement delays others, so it runs separately.
    private static let patience: Duration = .milliseconds(500)
    /// The maximum number of connections: one sends while the other one waits.
    private static let maximumLanes = 2

    private struct State {
        var waiting = Deque<SharedRead>()
        /// Connections in use or requested.
        var lanes = 0
    }

    private let core: PoolCore
    private let state = NIOLockedValueBox(State())

    init(core: PoolCore) {
        self.core = core
    }

    /// Adds a statement. It always gets an answer.
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

    /// Runs batches until no statement is waiting, or it is another caller's turn.
    ///
    /// - Returns: A closure that delivers the answers. It runs after the connection was given to its next user.
    private func serve(_ connection: Connection) -> @Sendable () -> Void {
        for _ in 0..<Self.turns {
            let reads = nextBatch()
            if reads.isEmpty { return {} }
            run(reads, on: connection)
            guard connection.isFit else { break }
        }
        return { self.askForConnection() }
    }

    /// - Returns: The next batch. If it is empty, no statement is waiting, and the lane was closed.
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

    /// No connection is available. If no other lane is open, it refuses all waiting statements.
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

    /// The statements by organization, in order of arrival.
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

    /// Records the results of the steps.
    ///
    /// - Returns: Whether all steps succeeded.
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

    /// The commands before one Sync. They form one transaction.
    private struct Pipeline {
        var steps: [Step] = []
        /// Each statement with the number of the step that contains its answer.
        var reads: [(SharedRead, answer: Int)] = []

        init() {}

        /// Creates a pipeline with the setting of an organization and its statements.
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

/// A statement that waits for its answer.
final class SharedRead: Sendable {
    enum Answer {
        case rows([Row])
        /// The statement must be read separately.
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

    /// Whether the caller has stopped waiting.
    var isOver: Bool {
        state.withLockedValue { if case .over = $0 { true } else { false } }
    }

    /// Waits for the answer. Returns `.alone` immediately if the task is cancelled.
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

    /// Sets the answer. Only the first call has an effect.
    func finish(_ answer: Answer) {
        let continuation: CheckedContinuation<Answer, Never>? = state.withLockedValue { state in
            defer { state = .over }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(returning: answer)
    }
}
