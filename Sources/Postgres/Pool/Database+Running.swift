import CLibPQ

extension Database {
    /// Runs a statement. `begin` and settings that it needs are sent in the same round trip.
    func run(_ statement: SQL) throws(PostgresError) -> ResultSet {
        guard phase != .closed else {
            throw PostgresError(.misuse, "the database was used after its access had ended")
        }
        if let failure { throw failure }
        if let failure = statement.failure { throw failure }
        do throws(PostgresError) {
            return try attempt(statement)
        } catch {
            // A failed statement outside a transaction had no effect, so it can be sent again.
            guard foundStaleStatement, access.isStatementWise, connection.isFit else { throw error }
            foundStaleStatement = false
            return try attempt(statement)
        }
    }

    private func attempt(_ statement: SQL) throws(PostgresError) -> ResultSet {
        let steps = plan(statement)
        let results: [ResultSet]
        do throws(PostgresError) {
            results = try connection.wire.run(
                steps.map(\.command), until: deadline, cancellation: cancellation)
        } catch {
            if !access.isStatementWise { failure = error }
            throw error
        }
        for (step, result) in zip(steps, results) {
            if let error = result.error { throw refused(error, at: step, of: statement) }
            note(step)
        }
        guard access.isStatementWise == (connection.wire.transactionStatus == PQTRANS_IDLE) else {
            connection.wire.isBroken = true
            throw PostgresError(.misuse, "a statement began or ended a transaction itself")
        }
        guard let last = results.last else { throw connection.wire.lost() }
        return last
    }

    private func plan(_ statement: SQL) -> [Step] {
        guard !access.isBare else {
            return [Step(.execute(text: statement.text, parameters: statement.parameters), .run(nil))]
        }
        var steps: [Step] = []
        steps.reserveCapacity(4)
        if !access.isStatementWise, phase == .fresh { steps.append(Step(Access.begin, .begin)) }
        connection.planHousekeeping(into: &steps)
        var announced: [PreparedStatements.Key: String] = [:]
        if phase == .fresh { connection.plan(prologue, into: &steps, announced: &announced) }
        connection.plan(statement, into: &steps, announced: &announced)
        return steps
    }

    /// Records that the server has executed this step.
    private func note(_ step: Step) {
        if case .begin = step.meaning { phase = .inTransaction }
        connection.note(step)
    }

    /// Converts the server's refusal of a step into an error.
    private func refused(_ error: ServerError, at step: Step, of statement: SQL) -> PostgresError {
        if error.isStaleStatement {
            foundStaleStatement = true
            switch step.meaning {
            case .run(let key?) where error.sqlState == "0A000": connection.statements.forget(key)
            case .run(_?), .prepare, .drop: connection.statements.reset()
            case .begin, .dropAll, .run(nil): foundStaleStatement = false
            }
        }
        var error = error
        error.statement = statement.text
        var failure = PostgresError(server: error)
        if error.endsConnection {
            connection.wire.isBroken = true
            failure = PostgresError(.connection, error.safeDescription)
        }
        if !access.isStatementWise { self.failure = failure }
        return failure
    }
}
