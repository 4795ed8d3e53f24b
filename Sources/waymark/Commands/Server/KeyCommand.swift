import ArgumentParser
import Snapshot
import Storage
import StrictJSON

/// `waymark key`.
struct KeyCommand: AsyncParsableCommand {
    /// The kinds of keys.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case signing, consumer

        func file(_ settings: Settings) -> SecretFile {
            SecretFile(path: self == .signing ? settings.signingKeyFile : settings.consumerSecretFile)
        }

        /// Prints the result of a step, as text or as JSON. The JSON contains the keys that consumers must trust from
        /// now on.
        func say(_ json: Bool, _ settings: Settings, _ words: String) throws {
            guard json else { return try Console.say(words) }
            var answer = JSONObject([("kind", .string(rawValue))])
            if self == .signing { answer["keys"] = try KeyCommand.publicKeys(settings) }
            try Console.say(.object(answer))
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Prints and rotates the keys of the snapshot.",
        discussion: """
            There are two kinds: the `signing` key, which signs the snapshot, and the `consumer` credential of edges and \
            directory writers. Rotate a key in three steps, without a restart or a gap: `add` the next key, `switch` to it, \
            and `retire` the old key. Running processes read the files every second. docs/operations/keys.md \
            explains when to take each step, and which files to copy to other machines.
            """,
        subcommands: [Public.self, Add.self, Switch.self, Retire.self], defaultSubcommand: Public.self)

    /// The public keys, with the signing key first.
    static func publicKeys(_ settings: Settings) throws -> JSONValue {
        .array(try settings.publicKeys().map { ["id": .string($0.id), "key": .string($0.base64)] })
    }

    struct Public: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the public keys that consumers must trust, in the format of WAYMARK_SNAPSHOT_KEY.")

        @Flag(help: "Print the IDs instead, as in the last line of the file `manifest` of each consumer.")
        var ids = false
        @Flag(help: "Print JSON.") var json = false

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
            abstract: "Adds a key that is trusted but not yet active.")

        @Argument(help: "signing or consumer.") var kind: Kind
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let settings = try Settings.load()
            let next = try kind == .signing ? SigningKey().base64 : Settings.newConsumerSecret().text
            try kind.file(settings).add(next)
            if kind == .signing { try settings.writePublicKeys() }
            try kind.say(
                json, settings,
                kind == .signing
                    ? "Consumers that read \(settings.snapshotKeyFile) trust the next key within seconds. Copy the file to all "
                        + "others. Then run: waymark key switch signing"
                    : "The API accepts both credentials within seconds. Then run: waymark key switch consumer")
        }
    }

    struct Switch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Switches to the added key; the old key is still accepted. Run it again to switch back.")

        @Argument(help: "signing or consumer.") var kind: Kind
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let settings = try Settings.load()
            try kind.file(settings).switchOver()
            if kind == .signing { try settings.writePublicKeys() }
            try kind.say(
                json, settings,
                kind == .signing
                    ? "The API signs with \(try settings.publicKeys()[0].id) within seconds. When the last line of every "
                        + "consumer's manifest has this ID, run: waymark key retire signing"
                    : "Consumers that read \(settings.consumerSecretFile) use the new credential within seconds. Copy the "
                        + "file to all others. Then run: waymark key retire consumer")
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes the key that is not active.")

        @Argument(help: "signing or consumer.") var kind: Kind
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let settings = try Settings.load()
            try kind.file(settings).retire()
            if kind == .signing { try settings.writePublicKeys() }
            try kind.say(json, settings, "The old key is no longer accepted within seconds.")
        }
    }
}
