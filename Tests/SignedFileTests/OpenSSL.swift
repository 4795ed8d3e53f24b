import Foundation

/// Makes signed files with the `openssl` command and a new certificate.
enum OpenSSL {
    /// The format of a message.
    enum Form: String, CaseIterable {
        /// The output of `openssl smime`, as in Apple's documentation.
        case smime
        /// DER encoding.
        case cms
        /// BER encoding with indefinite lengths.
        case stream
    }

    static func signed(_ text: [UInt8], as form: Form = .smime) throws -> [UInt8] {
        let options =
            switch form {
            case .smime: ["smime", "-sign", "-nodetach", "-binary"]
            case .cms: ["cms", "-sign", "-nodetach", "-binary"]
            case .stream: ["cms", "-sign", "-nodetach", "-binary", "-stream"]
            }
        return try message(text, options)
    }

    /// A detached signature, without the signed data.
    static func detached(_ text: [UInt8]) throws -> [UInt8] { try message(text, ["cms", "-sign", "-binary"]) }

    /// An encrypted message: another content type than signed data.
    static func encrypted(_ text: [UInt8]) throws -> [UInt8] {
        try inFolder { folder in
            try write(text, folder, "text")
            return try run(
                ["cms", "-encrypt", "-binary", "-outform", "DER", "-in", "text", "-aes256", "certificate"], in: folder)
        }
    }

    private static func message(_ text: [UInt8], _ options: [String]) throws -> [UInt8] {
        try inFolder { folder in
            try write(text, folder, "text")
            let key = ["-signer", "certificate", "-inkey", "key", "-outform", "DER", "-in", "text"]
            return try run(options + key, in: folder)
        }
    }

    private static func inFolder(_ body: (URL) throws -> [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let new = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=test",
        ]
        _ = try run(new + ["-keyout", "key", "-out", "certificate"], in: folder)
        return try body(folder)
    }

    private static func write(_ bytes: [UInt8], _ folder: URL, _ name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    private static func run(_ arguments: [String], in folder: URL) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(arguments: arguments) }
        return bytes
    }

    struct Failed: Error {
        let arguments: [String]
    }
}
