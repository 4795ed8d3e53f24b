import ArgumentParser
import Snapshot
import Storage
import StrictJSON

/// `waymark key`.
struct KeyCommand: AsyncParsableCommand {
    /// What is exchanged.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case signing, consumer

        func file(_ settings: Settings) -> SecretFile {
            SecretFile(path: self == .signing ? settings.signingKeyFile : settings.consumerSecretFile)
        }

        /// Answers that a step is done: in words, or with what consumers are to trust from now on.
        func say(_ json: Bool, _ settings: Settings, _ words: String) throws {
            guard json else { return try Console.say(words) }
            var answer = JSONObject([("kind", .string(rawValue))])
            if self == .signing { answer["keys"] = try KeyCommand.publicKeys(settings) }
            try Console.say(.object(answer))
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Prints and exchanges the keys of the snapshot.",
        discussion: """
            There are two kinds: the `signing` key, which signs the snapshot, and the `consumer` credential, which an edge \
            or a directory keeper shows. Either is exchanged in three steps, with no restart and no gap: `add` the next \
            one, `switch` to it, `retire` the old one. Running processes look at the files once a second. What to wait \
            for in between, and what to copy to other machines, is in docs/operations/keys.md.
            """,
        subcommands: [Public.self, Add.self, Switch.self, Retire.self], defaultSubcommand: Public.self)

    /// The public keys, the one that signs first.
    static func publicKeys(_ settings: Settings) throws -> JSONValue {
        .array(try settings.publicKeys().map { ["id": .string($0.id), "key": .string($0.base64)] })
    }

    struct Public: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the public keys that consumers are to trust, as WAYMARK_SNAPSHOT_KEY takes them.")

        @Flag(help: "Print their ids instead: they stand in the last line of what each consumer holds as `manifest`.")
        var ids = false
        @Flag(help: "Answer in JSON.") var json = false

        func run() async throws {
            let settings = try Settings.load()
            _ = try settings.signingKey()
            if json {
                try Console.say(["keys": try KeyCommand.publicKeys(settings)])
            } else {
                try Console.say(try settings.publicKeys().map { ids ? $0.id : $0.base64 }.joined(separator: ","))
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the next one, which is accepted from now on and not used yet.")

        @Argument(help: "signing or consumer.") var kind: Kind
        @Flag(help: "Answer in JSON.") var json = false

        func run() async throws {
            let settings = try Settings.load()
            let next = try kind == .signing ? SigningKey().base64 : Settings.newConsumerSecret().text
            try kind.file(settings).add(next)
            if kind == .signing { try settings.writePublicKeys() }
            try kind.say(
                json, settings,
                kind == .signing
                    ? "Consumers that read \(settings.snapshotKeyFile) trust the next key within seconds; copy it to all "
                        + "others. Then: waymark key switch signing"
                    : "The API accepts both credentials within seconds. Then: waymark key switch consumer")
        }
    }

    struct Switch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Uses the one that was added; the old one is still accepted. Once more goes back.")

        @Argument(help: "signing or consumer.") var kind: Kind
        @Flag(help: "Answer in JSON.") var json = false

        func run() async throws {
            let settings = try Settings.load()
            try kind.file(settings).switchOver()
            if kind == .signing { try settings.writePublicKeys() }
            try kind.say(
                json, settings,
                kind == .signing
                    ? "The API signs with \(try settings.publicKeys()[0].id) within seconds. When the last line of every "
                        + "consumer's manifest names it: waymark key retire signing"
                    : "Consumers that read \(settings.consumerSecretFile) show the new credential within seconds; copy it "
                        + "to all others. Then: waymark key retire consumer")
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes away the one that is not used.")

        @Argument(help: "signing or consumer.") var kind: Kind
        @Flag(help: "Answer in JSON.") var json = false

        func run() async throws {
            let settings = try Settings.load()
            try kind.file(settings).retire()
            if kind == .signing { try settings.writePublicKeys() }
            try kind.say(json, settings, "The old one is accepted no more, within seconds.")
        }
    }
}
