import CLibPQ

extension Database {
    /// A command of a pipeline, and what its answer means for what we remember.
    private struct Step {
        enum Meaning {
            case begin
            case dropAll
            case drop(name: String)
            case prepare(PreparedStatements.Key, name: String)
            case run(PreparedStatements.Key?)
        }

        let command: Command
        let meaning: Meaning
    }

    /// Runs a statement, with all that must go before it in the same round trip.
    func run(_ statement: SQL) throws(PostgresError) -> ResultSet {
        guard phase != .closed else {
            throw PostgresError(.misuse, "the database was used after its access had ended")
        }
        if let failure { throw failure }
        if let failure = statement.failure { throw failure }
        do throws(PostgresError) {
            return try attempt(statement)
        } catch {
            // A statement that stands alone has done nothing when it fails, and can simply be sent again.
            guard metStaleStatement, access.isStatementWise, connection.isFit else { throw error }
            metStaleStatement = false
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
            throw PostgresError(.misuse, "a statement began or ended a transaction of its own")
        }
        guard let last = results.last else { throw connection.wire.lost() }
        return last
    }

    private func plan(_ statement: SQL) -> [Step] {
        guard !access.isBare else {
            return [
                Step(command: .execute(text: statement.text, parameters: statement.parameters), meaning: .run(nil))
            ]
        }
        var steps: [Step] = []
        steps.reserveCapacity(4)
        if !access.isStatementWise, phase == .fresh {
            steps.append(Step(command: .execute(text: access.begin, parameters: []), meaning: .begin))
        }
        if connection.statements.mustDeallocateAll {
            steps.append(Step(command: .execute(text: "deallocate all", parameters: []), meaning: .dropAll))
        }
        for name in connection.statements.discarded {
            var text: SQL = "deallocate "
            text.append(identifier: name)
            steps.append(Step(command: .execute(text: text.text, parameters: []), meaning: .drop(name: name)))
        }
        if phase == .fresh { plan(prologue, into: &steps) }
        plan(statement, into: &steps)
        return steps
    }

    private func plan(_ statement: SQL, into steps: inout [Step]) {
        let text = statement.text
        guard !connection.configuration.isPooled else {
            steps.append(Step(command: .execute(text: text, parameters: statement.parameters), meaning: .run(nil)))
            return
        }
        let key = PreparedStatements.Key(text: text, types: statement.parameters.map(\.type))
        var name = connection.statements.name(for: key)
        if name == nil {
            let new = PreparedStatements.newName(for: key)
            steps.append(
                Step(
                    command: .prepare(name: new, text: text, types: key.types), meaning: .prepare(key, name: new)))
            name = new
        }
        guard let name else { return }
        steps.append(
            Step(command: .executePrepared(name: name, parameters: statement.parameters), meaning: .run(key)))
    }

    /// The server has done this step.
    private func note(_ step: Step) {
        switch step.meaning {
        case .begin: phase = .inTransaction
        case .dropAll: connection.statements.droppedAll()
        case .drop(let name): connection.statements.dropped(name)
        case .prepare(let key, let name): connection.statements.remember(key, as: name)
        case .run: break
        }
    }

    /// The server has refused this step.
    private func refused(_ error: ServerError, at step: Step, of statement: SQL) -> PostgresError {
        if error.isStaleStatement {
            metStaleStatement = true
            switch step.meaning {
            case .run(let key?) where error.sqlState == "0A000": connection.statements.forget(key)
            case .run(_?), .prepare, .drop: connection.statements.reset()
            case .begin, .dropAll, .run(nil): metStaleStatement = false
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
