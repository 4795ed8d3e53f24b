// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Also optimised in debug builds: the tests spend most of their processor time in these two libraries.
let optimised: [SwiftSetting] = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioConcurrency = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let structuredFields = Target.Dependency.product(
    name: "RawStructuredFieldValues", package: "swift-http-structured-headers")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// Indirect dependencies with pinned versions. Each is a dependency only for a platform that is never built. So its
/// version is used, and SwiftPM does not warn that it is unused.
let pinned: [Target.Dependency] = [
    .product(name: "Algorithms", package: "swift-algorithms", condition: .when(platforms: [.wasi])),
    .product(name: "SwiftASN1", package: "swift-asn1", condition: .when(platforms: [.wasi])),
    .product(name: "AsyncAlgorithms", package: "swift-async-algorithms", condition: .when(platforms: [.wasi])),
    .product(name: "Atomics", package: "swift-atomics", condition: .when(platforms: [.wasi])),
    .product(name: "X509", package: "swift-certificates", condition: .when(platforms: [.wasi])),
    .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(platforms: [.wasi])),
    .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(platforms: [.wasi])),
    .product(
        name: "NIOTransportServices", package: "swift-nio-transport-services", condition: .when(platforms: [.wasi])),
    .product(name: "RealModule", package: "swift-numerics", condition: .when(platforms: [.wasi])),
    .product(name: "ServiceContextModule", package: "swift-service-context", condition: .when(platforms: [.wasi])),
]

let package = Package(
    name: "waymark",
    products: [
        .executable(name: "waymark", targets: ["waymark"]),
        .library(name: "AASA", targets: ["AASA"]),
        .library(name: "Cron", targets: ["Cron"]),
        .library(name: "Fetching", targets: ["Fetching"]),
        .library(name: "OpenIDConnect", targets: ["OpenIDConnect"]),
        .library(name: "EmbeddedPostgres", targets: ["EmbeddedPostgres"]),
        .library(name: "PasswordHashing", targets: ["PasswordHashing"]),
        .library(name: "Postgres", targets: ["Postgres"]),
        .library(name: "HTTPAPI", targets: ["HTTPAPI"]),
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "Publishing", targets: ["Publishing"]),
        .library(name: "Serving", targets: ["Serving"]),
        .library(name: "SignedFile", targets: ["SignedFile"]),
        .library(name: "Passkeys", targets: ["Passkeys"]),
        .library(name: "SMTP", targets: ["SMTP"]),
        .library(name: "Snapshot", targets: ["Snapshot"]),
        .library(name: "Storage", targets: ["Storage"]),
        .library(name: "StrictJSON", targets: ["StrictJSON"]),
        .library(name: "TestSupport", targets: ["TestSupport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-structured-headers.git", exact: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        // Indirect dependencies. They are pinned here, because no lock file is committed.
        .package(url: "https://github.com/apple/swift-algorithms.git", exact: "1.2.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-async-algorithms.git", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-atomics.git", exact: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-transport-services.git", exact: "1.28.0"),
        .package(url: "https://github.com/apple/swift-numerics.git", exact: "1.1.1"),
        .package(url: "https://github.com/apple/swift-service-context.git", exact: "1.5.1"),
    ],
    targets: [
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibFIDO2", pkgConfig: "libfido2", providers: [.apt(["libfido2-dev"])]),
        .systemLibrary(name: "CLibQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLibIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "StrictJSON", swiftSettings: optimised),
        .target(name: "ProblemDetails", dependencies: ["StrictJSON"], swiftSettings: settings),
        .target(name: "AASA", dependencies: ["StrictJSON"], exclude: ["README.md"], swiftSettings: optimised),
        .target(name: "SignedFile", dependencies: ["AASA", "CLibCrypto"], swiftSettings: settings),
        .target(name: "PasswordHashing", dependencies: ["CLibCrypto", "CZxcvbn", nioPosix], swiftSettings: settings),
        .target(name: "TOTP", dependencies: ["CLibQREncode", "Hex", crypto], swiftSettings: settings),
        .target(name: "Passkeys", dependencies: ["CLibFIDO2", "StrictJSON", crypto], swiftSettings: settings),
        .target(name: "SMTP", dependencies: ["CLibCurl", nioPosix], swiftSettings: settings),
        .target(name: "ContentCoding", dependencies: ["CBrotli", "CZlib"], swiftSettings: settings),
        .target(name: "Cron", swiftSettings: settings),
        .target(name: "Hex", swiftSettings: settings),
        .target(name: "Timing", swiftSettings: settings),
        .target(
            name: "Postgres",
            dependencies: [
                "CLibPQ", "CLinux", "Hex", "Timing", crypto, deque, logging, metrics, nioConcurrency, serviceLifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "EmbeddedPostgres",
            dependencies: ["CLinux", "Hex", "Postgres", "Timing", crypto, logging, nioConcurrency, subprocess, system],
            swiftSettings: settings),
        .target(
            name: "Storage", dependencies: ["StrictJSON", "AASA", "Cron", "Hex", "Postgres", crypto],
            swiftSettings: settings),
        .target(name: "Snapshot", dependencies: ["CLinux", "Hex", "StrictJSON", crypto], swiftSettings: settings),
        .target(
            name: "Serving",
            dependencies: [
                "ContentCoding", "ProblemDetails", "Snapshot", "StrictJSON", "Timing", asyncHTTPClient, logging,
                metrics,
                nioConcurrency, nioCore, nioHTTP, nioPosix, serviceLifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "ObjectStore", dependencies: ["Hex", "Timing", asyncHTTPClient, crypto, nioCore, nioHTTP],
            swiftSettings: settings),
        .target(
            name: "Fetching",
            dependencies: [nioCore, nioHTTP, nioPosix, nioSSL, nioTLS], swiftSettings: settings),
        .target(
            name: "OpenIDConnect", dependencies: ["Fetching", "Hex", "StrictJSON", crypto, cryptoExtras],
            swiftSettings: settings),
        .target(
            name: "Publishing",
            dependencies: [
                "StrictJSON", "AASA", "Hex", "Postgres", "SMTP", "Storage", "Snapshot", "ObjectStore", "Timing",
                logging,
                metrics, nioConcurrency, nioPosix, serviceLifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "HTTPAPI",
            dependencies: [
                "StrictJSON", "AASA", "ContentCoding", "Cron", "Fetching", "Hex", "OpenIDConnect", "PasswordHashing",
                "Passkeys", "Postgres", "ProblemDetails", "SignedFile", "Storage", "Snapshot", "Publishing", "Timing",
                "TOTP",
                "CLibIDN2",
                httpTypes,
                hummingbird, hummingbirdCore,
                logging,
                metrics, nioConcurrency, nioCore, nioPosix, serviceLifecycle, structuredFields,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "waymark",
            dependencies: [
                "StrictJSON", "AASA", "EmbeddedPostgres", "Postgres", "SignedFile", "SMTP", "Storage", "Snapshot",
                "Serving",
                "Hex", "ObjectStore", "Publishing", "Fetching", "HTTPAPI", "OpenIDConnect", "Timing", argumentParser,
                asyncHTTPClient, configuration,
                coreMetrics, httpTypes, hummingbird, hummingbirdCore, logging, metrics, nioConcurrency, nioCore,
                nioHTTP, nioHTTPTypes, nioPosix, serviceLifecycle, subprocess, system, unixSignals,
            ],
            swiftSettings: settings),

        .target(
            name: "TestSupport",
            dependencies: ["EmbeddedPostgres", "Postgres", logging, nioConcurrency, nioCore, nioHTTP, nioPosix],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(name: "ContentCodingTests", dependencies: ["ContentCoding"], swiftSettings: settings),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"], swiftSettings: settings),
        .testTarget(
            name: "AASATests", dependencies: ["AASA", "StrictJSON"], resources: [.copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "SignedFileTests", dependencies: ["AASA", "SignedFile", "StrictJSON"], swiftSettings: settings),
        .testTarget(name: "PasswordHashingTests", dependencies: ["PasswordHashing"], swiftSettings: settings),
        .testTarget(name: "TOTPTests", dependencies: ["TOTP"], swiftSettings: settings),
        .testTarget(name: "SMTPTests", dependencies: ["SMTP"], swiftSettings: settings),
        .testTarget(name: "CronTests", dependencies: ["Cron"], swiftSettings: settings),
        .testTarget(
            name: "ProblemDetailsTests", dependencies: ["ProblemDetails", "StrictJSON"], swiftSettings: settings),
        .testTarget(name: "HexTests", dependencies: ["Hex"], swiftSettings: settings),
        .testTarget(name: "TimingTests", dependencies: ["Timing"], swiftSettings: settings),
        .testTarget(
            name: "PostgresTests",
            dependencies: ["Postgres", "TestSupport", "Timing", logging, nioConcurrency, serviceLifecycle],
            swiftSettings: settings),
        .testTarget(
            name: "EmbeddedPostgresTests",
            dependencies: ["EmbeddedPostgres", "Postgres", "TestSupport", "Timing", system],
            swiftSettings: settings),
        .testTarget(name: "SnapshotTests", dependencies: ["Hex", "Snapshot"], swiftSettings: settings),
        .testTarget(
            name: "ServingTests",
            dependencies: [
                "CZlib", "ContentCoding", "Serving", "Snapshot", "StrictJSON", "TestSupport", logging, metrics,
                nioConcurrency, nioCore, nioHTTP, nioPosix, serviceLifecycle,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ObjectStoreTests", dependencies: ["Hex", "ObjectStore", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "FetchingTests",
            dependencies: ["Fetching", "TestSupport", nioConcurrency, nioCore, nioHTTP, nioPosix, nioSSL, nioTLS],
            swiftSettings: settings),
        .testTarget(
            name: "OpenIDConnectTests",
            dependencies: ["Fetching", "OpenIDConnect", "StrictJSON", "TestSupport", crypto, nioHTTP],
            swiftSettings: settings),
        .testTarget(name: "ArchitectureTests", dependencies: pinned, swiftSettings: settings),
        .testTarget(
            name: "StorageTests", dependencies: ["StrictJSON", "AASA", "Cron", "Postgres", "Storage", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PublishingTests",
            dependencies: [
                "StrictJSON", "AASA", "Cron", "Postgres", "Storage", "Snapshot", "ObjectStore", "Publishing",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPAPITests",
            dependencies: [
                "StrictJSON", "AASA", "Postgres", "Storage", "Snapshot", "Publishing", "HTTPAPI", "TestSupport",
                httpTypes, hummingbird, logging, nioCore, nioEmbedded, structuredFields,
            ],
            swiftSettings: settings),
    ]
)
