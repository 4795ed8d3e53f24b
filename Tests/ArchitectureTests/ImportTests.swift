import Foundation
import Testing

/// The modules that each target can import, as in the table of `ARCHITECTURE.md`. This needs a test, because SwiftPM also
/// accepts imports of indirect dependencies.
private let allowed: [String: Set<String>] = [
    "StrictJSON": [],
    "ProblemDetails": ["StrictJSON"],
    "AASA": ["StrictJSON", "Synchronization"],
    "SignedFile": ["AASA", "CLibCrypto"],
    "PasswordHashing": ["CLibCrypto", "CZxcvbn", "FoundationEssentials", "NIOPosix", "Synchronization"],
    "Passkeys": ["CLibFIDO2", "Crypto", "StrictJSON"],
    "TOTP": ["CLibQREncode", "Crypto", "Hex"],
    "SMTP": ["CLibCurl", "FoundationEssentials", "Glibc", "NIOPosix"],
    "ContentCoding": ["CBrotli", "CZlib"],
    "Cron": [],
    "Hex": ["FoundationEssentials"],
    "Timing": ["Glibc"],
    "Postgres": [
        "CLibPQ", "CLinux", "Crypto", "DequeModule", "FoundationEssentials", "Glibc", "Hex", "Logging", "Metrics",
        "NIOConcurrencyHelpers", "ServiceLifecycle", "Synchronization", "Timing",
    ],
    "EmbeddedPostgres": [
        "CLinux", "Crypto", "Glibc", "Hex", "Logging", "NIOConcurrencyHelpers", "Postgres", "Subprocess",
        "SystemPackage", "Timing",
    ],
    "Fetching": ["Glibc", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "NIOTLS", "Synchronization"],
    "OpenIDConnect": ["Crypto", "CryptoExtras", "Fetching", "FoundationEssentials", "Hex", "StrictJSON"],
    "Snapshot": ["CLinux", "Crypto", "FoundationEssentials", "Glibc", "Hex", "StrictJSON", "Synchronization"],
    "Storage": ["AASA", "Cron", "Crypto", "FoundationEssentials", "Hex", "Postgres", "StrictJSON", "Synchronization"],
    "ObjectStore": ["AsyncHTTPClient", "Crypto", "FoundationEssentials", "Hex", "NIOCore", "NIOHTTP1", "Timing"],
    "Publishing": [
        "AASA", "FoundationEssentials", "Glibc", "Hex", "Logging", "Metrics", "NIOConcurrencyHelpers", "NIOPosix",
        "ObjectStore", "Postgres", "SMTP", "ServiceLifecycle", "Snapshot", "Storage", "StrictJSON", "Synchronization",
        "Timing",
    ],
    "HTTPAPI": [
        "AASA", "CLibIDN2", "ContentCoding", "Cron", "Fetching", "Foundation", "FoundationEssentials", "Glibc",
        "HTTPTypes", "Hex", "Hummingbird", "HummingbirdCore", "Logging", "Metrics", "NIOCore", "OpenIDConnect",
        "Passkeys", "PasswordHashing", "Postgres", "ProblemDetails", "Publishing", "RawStructuredFieldValues",
        "ServiceLifecycle",
        "SignedFile", "Storage",
        "StrictJSON", "Synchronization", "TOTP", "Timing",
    ],
    "Serving": [
        "AsyncHTTPClient", "ContentCoding", "Glibc", "Logging", "Metrics", "NIOConcurrencyHelpers", "NIOCore",
        "NIOHTTP1", "NIOPosix", "ProblemDetails", "ServiceLifecycle", "Snapshot", "StrictJSON", "Synchronization",
        "Timing",
    ],
]

/// The target that can import everything, because it connects all others.
private let wiring = "waymark"

@Suite("Imports")
struct ImportTests {
    @Test("a target imports only the modules that the architecture allows")
    func imports() throws {
        let files = try SourceTree.swiftFiles(under: "Sources")
        #expect(files.count > 150)
        var seen: [String: Set<String>] = [:]
        for file in files where file.target != wiring {
            let imported = Set(file.lines.compactMap(importedModule))
            let table = try #require(allowed[file.target], "the target of \(file) is not in the table")
            #expect(imported.isSubset(of: table), "\(file) imports \(imported.subtracting(table).sorted())")
            seen[file.target, default: []].formUnion(imported)
        }
        for (target, modules) in allowed {
            let ours = modules.intersection(allowed.keys)
            #expect(ours.isSubset(of: seen[target, default: []]), "\(target) does not need all that the table allows")
        }
    }

    @Test("the public path imports neither Postgres nor Storage nor Publishing, and cannot reach the database")
    func serving() throws {
        let forbidden: Set<String> = ["Postgres", "EmbeddedPostgres", "CLibPQ", "Storage", "Publishing", "HTTPAPI"]
        for target in ["Serving", "Snapshot"] {
            for file in try SourceTree.swiftFiles(under: "Sources/\(target)") {
                #expect(forbidden.isDisjoint(with: file.lines.compactMap(importedModule)), "\(file)")
            }
        }
        #expect(try packageDependencies(of: "Serving").isDisjoint(with: forbidden))
        #expect(try packageDependencies(of: "Serving").contains("Snapshot"))
    }

    @Test("Package.swift has only the dependencies that the table allows", arguments: allowed.keys.sorted())
    func package(target: String) throws {
        let ours = Set(allowed.keys)
        let given = try packageDependencies(of: target).intersection(ours)
        #expect(given.isSubset(of: allowed[target, default: []].union(["Snapshot"])))
        #expect(allowed[target, default: []].intersection(ours).isSubset(of: given))
    }

    @Test("only the wire and a few files that read results call libpq")
    func libpq() throws {
        let callers: Set = ["CancelRequest.swift", "PostgresConfiguration.swift", "ResultSet.swift"]
        for file in try SourceTree.swiftFiles(under: "Sources") {
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            guard !name.hasPrefix("Wire"), !callers.contains(name) else { continue }
            let calls = file.places { $0.contains("PQ") && $0.contains(/\bPQ[a-zA-Z]+\(/) }
            #expect(calls.isEmpty, "\(calls)")
        }
    }

    /// The module that a line imports; nil for any other line.
    private func importedModule(_ line: String) -> String? {
        guard line.contains("import ") else { return nil }
        return line.wholeMatch(
            of: /(?:@\w+ )*(?:public |internal |package |private |fileprivate )?import (?:\w+ )?(\w+)(?:\..*)?/
        )
        .map { String($0.1) }
    }

    /// The dependencies of a target in `Package.swift`: all quoted words of its declaration.
    private func packageDependencies(of target: String) throws -> Set<String> {
        let text = try SourceTree.file("Package.swift").lines.joined(separator: "\n")
        let start = try #require(text.firstRange(of: Regex(#"arget\(\s*name: "\#(target)""#)))
        let rest = text[start.upperBound...]
        let end = rest.range(of: "swiftSettings")?.lowerBound ?? rest.endIndex
        return Set(rest[..<end].matches(of: /"(\w+)"/).map { String($0.1) })
    }
}
