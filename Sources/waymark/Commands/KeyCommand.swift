import ArgumentParser
import Snapshot

/// `waymark key`.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Prints the public key that signs the snapshot.",
        discussion: "An edge or a directory keeper on another machine trusts it by WAYMARK_SNAPSHOT_KEY.")

    func run() async throws {
        Console.say(try await Settings.load().signingKey().verificationKey.base64)
    }
}
