/// One step of a pipeline.
enum Command {
    /// Prepares a statement under a name.
    case prepare(name: String, text: String, types: [PostgresType])
    /// Runs a prepared statement.
    case executePrepared(name: String, parameters: [PostgresParameter])
    /// Prepares and runs a statement in one step, without a name.
    case execute(text: String, parameters: [PostgresParameter])
}
