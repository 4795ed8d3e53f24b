// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
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
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
    name: "waymark",
    products: [
        .executable(name: "waymark", targets: ["waymark"]),
        .library(name: "AASA", targets: ["AASA"]),
        .library(name: "Cron", targets: ["Cron"]),
        .library(name: "Postgres", targets: ["Postgres"]),
        .library(name: "HTTPAPI", targets: ["HTTPAPI"]),
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "Publishing", targets: ["Publishing"]),
        .library(name: "Serving", targets: ["Serving"]),
        .library(name: "SignedFile", targets: ["SignedFile"]),
        .library(name: "Snapshot", targets: ["Snapshot"]),
        .library(name: "Storage", targets: ["Storage"]),
        .library(name: "StrictJSON", targets: ["StrictJSON"]),
        .library(name: "TestSupport", targets: ["TestSupport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CSyncFS"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "StrictJSON", swiftSettings: settings),
        .target(name: "AASA", dependencies: ["StrictJSON"], swiftSettings: settings),
        .target(name: "SignedFile", dependencies: ["AASA", "CLibCrypto"], swiftSettings: settings),
        .target(name: "Cron", swiftSettings: settings),
        .target(
            name: "Postgres",
            dependencies: ["CLibPQ", crypto, logging, metrics, nioConcurrency, serviceLifecycle],
            swiftSettings: settings),
        .target(
            name: "Storage", dependencies: ["StrictJSON", "AASA", "Cron", "Postgres", crypto],
            swiftSettings: settings),
        .target(name: "Snapshot", dependencies: ["CSyncFS", "StrictJSON", crypto], swiftSettings: settings),
        .target(
            name: "Serving",
            dependencies: [
                "CZlib", "Snapshot", "StrictJSON", asyncHTTPClient, logging, metrics, nioConcurrency, nioCore, nioHTTP,
                nioPosix,
                serviceLifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "ObjectStore", dependencies: [asyncHTTPClient, crypto, nioCore, nioHTTP], swiftSettings: settings),
        .target(
            name: "Publishing",
            dependencies: [
                "StrictJSON", "AASA", "Postgres", "Storage", "Snapshot", "ObjectStore", logging, metrics,
                nioConcurrency, nioPosix,
                serviceLifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "HTTPAPI",
            dependencies: [
                "StrictJSON", "AASA", "Cron", "Postgres", "SignedFile", "Storage", "Snapshot", "Publishing", "CLibIDN2",
                crypto,
                httpTypes,
                hummingbird, hummingbirdCore, logging, metrics, nioConcurrency, nioCore, nioPosix,
                serviceLifecycle,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "waymark",
            dependencies: [
                "StrictJSON", "AASA", "Postgres", "SignedFile", "Storage", "Snapshot", "Serving", "ObjectStore",
                "Publishing", "HTTPAPI", argumentParser, asyncHTTPClient, configuration, coreMetrics, crypto, httpTypes,
                hummingbird,
                hummingbirdCore, logging, metrics, nioConcurrency,
                nioCore, nioHTTP, nioHTTPTypes, nioPosix, serviceLifecycle, subprocess, system, unixSignals,
            ],
            swiftSettings: settings),

        .target(
            name: "TestSupport", dependencies: ["Postgres", logging, nioConcurrency, nioCore, nioHTTP, nioPosix],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"], swiftSettings: settings),
        .testTarget(
            name: "AASATests", dependencies: ["AASA", "StrictJSON"], resources: [.copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "SignedFileTests", dependencies: ["AASA", "SignedFile", "StrictJSON"], swiftSettings: settings),
        .testTarget(name: "CronTests", dependencies: ["Cron"], swiftSettings: settings),
        .testTarget(
            name: "PostgresTests", dependencies: ["Postgres", "TestSupport", logging, serviceLifecycle],
            swiftSettings: settings),
        .testTarget(name: "SnapshotTests", dependencies: ["Snapshot"], swiftSettings: settings),
        .testTarget(
            name: "ServingTests",
            dependencies: [
                "CZlib", "Serving", "Snapshot", "StrictJSON", "TestSupport", logging, metrics, nioConcurrency, nioCore,
                nioHTTP, nioPosix,
                serviceLifecycle,
            ],
            swiftSettings: settings),
        .testTarget(name: "ObjectStoreTests", dependencies: ["ObjectStore", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "ArchitectureTests", swiftSettings: settings),
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
                httpTypes, hummingbird, logging, nioCore, nioEmbedded,
            ],
            swiftSettings: settings),
    ]
)
