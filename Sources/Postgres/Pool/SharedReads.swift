import CLibPQ
import FoundationEssentials
import NIOConcurrencyHelpers
import Timing

/// Statements of many callers, sent together: while one batch is on its way, what others want to read collects, and
/// goes out as the next. The hop from thread to thread is then paid once for a batch, not for each statement.
///
/// A transaction holds the statements of one organization, as everywhere. This is the quick way and nothing else:
/// whatever goes wrong with a batch (a statement of the transaction is refused, it takes too long, the connection is
/// lost), its callers read alone, with all that belongs to that. Reading twice does no harm.
final class SharedReads: Sendable {
    /// Statements in one batch, at most.
    private static let batch = 64
    /// Batches before the connection goes to whoever waits for one.
    private static let turns = 32
    /// How long a batch may take. A statement that is slower holds others up, and does not belong here.
    private static let patience: Duration = .milliseconds(500)
    /// Connections at the same time, at most: one sends while the other waits.
    private static let maximumLanes = 2

    private struct State: @unchecked Sendable {
        var waiting = FIFO<SharedRead>()
        /// Connections in use or asked for.
        var lanes = 0
    }

    private let core: PoolCore
    private let state = NIOLockedValueBox(State())

    init(core: PoolCore) {
        self.core = core
    }

    /// Takes a statement in. It is finished some time, whatever happens.
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

    /// Runs batches until nothing waits, or it is time to let others have the connection.
    ///
    /// - Returns: what is to be done when the connection has been passed on.
    private func serve(_ connection: Connection) -> @Sendable () -> Void {
        for _ in 0..<Self.turns {
            let reads = nextBatch()
            if reads.isEmpty { return {} }
            run(reads, on: connection)
            guard connection.isFit else { break }
        }
        return { self.askForConnection() }
    }

    /// - Returns: none when nothing waits; the lane is closed then.
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

    /// No connection is to be had. The last lane to close leaves nobody waiting.
    private func giveUp(_ error: PostgresError) {
        let reads = state.withLockedValue { state in
            state.lanes -= 1
            return state.lanes == 0 ? state.waiting.removeAll() : []
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

    /// The statements of each organization, in the order of their arrival.
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

    /// Remembers what the steps have brought.
    ///
    /// - Returns: whether none was refused.
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

    /// What goes out in front of one Sync, and so is one transaction.
    private struct Pipeline {
        var steps: [Step] = []
        /// Each with the number of the step that answers it.
        var reads: [(SharedRead, answer: Int)] = []

        init() {}

        /// The setting of an organization, and what is read for it.
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

/// A statement that waits for its answer among others.
final class SharedRead: Sendable {
    enum Answer {
        case rows([Row])
        /// It has to be read alone.
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

    /// Whether nobody waits for the answer any more.
    var isOver: Bool {
        state.withLockedValue { if case .over = $0 { true } else { false } }
    }

    /// Waits for the answer; at once `.alone` when the task is cancelled.
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

    /// Gives the answer, the first time.
    func finish(_ answer: Answer) {
        let continuation: CheckedContinuation<Answer, Never>? = state.withLockedValue { state in
            defer { state = .over }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(returning: answer)
    }
}
