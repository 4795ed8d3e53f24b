/// A command of a pipeline. Its meaning tells how our records change if the command succeeds.
struct Step {
    enum Meaning {
        case begin
        case dropAll
        case drop(name: String)
        case prepare(PreparedStatements.Key, name: String)
        case run(PreparedStatements.Key?)
    }

    let command: Command
    let meaning: Meaning

    /// Creates a command without parameters.
    init(_ text: String, _ meaning: Meaning) {
        self.init(.execute(text: text, parameters: []), meaning)
    }

    init(_ command: Command, _ meaning: Meaning) {
        self.command = command
        self.meaning = meaning
    }
}

extension Connection {
    /// Adds the commands that drop prepared statements.
    func planHousekeeping(into steps: inout [Step]) {
        if statements.mustDeallocateAll { steps.append(Step("deallocate all", .dropAll)) }
        for name in statements.discarded {
            var text: SQL = "deallocate "
            text.append(identifier: name)
            steps.append(Step(text.text, .drop(name: name)))
        }
    }

    /// Adds a statement. If the statement should be prepared and is not prepared yet, also adds the command that
    /// prepares it.
    ///
    /// - Parameter announced: The statements that earlier pipelines of the same batch prepare. A newly prepared
    ///   statement is added.
    func plan(_ statement: SQL, into steps: inout [Step], announced: inout [PreparedStatements.Key: String]) {
        let text = statement.text
        guard !configuration.isPooled, !statement.isReplanned else {
            steps.append(Step(.execute(text: text, parameters: statement.parameters), .run(nil)))
            return
        }
        let key = PreparedStatements.Key(text: text, types: statement.parameters.map(\.type))
        let name: String
        if let known = statements.name(for: key) ?? announced[key] {
            name = known
        } else {
            name = PreparedStatements.newName(for: key)
            announced[key] = name
            steps.append(Step(.prepare(name: name, text: text, types: key.types), .prepare(key, name: name)))
        }
        steps.append(Step(.executePrepared(name: name, parameters: statement.parameters), .run(key)))
    }

    /// Records that the server has executed a step.
    func note(_ step: Step) {
        switch step.meaning {
        case .begin, .run: break
        case .dropAll: statements.droppedAll()
        case .drop(let name): statements.dropped(name)
        case .prepare(let key, let name): statements.remember(key, as: name)
        }
    }
}
