// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "waymark", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "EngineBenchmark",
            dependencies: [
                "CAllocationCount", .product(name: "AASA", package: "waymark"),
                .product(name: "StrictJSON", package: "waymark"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "DatabaseBenchmark",
            dependencies: [
                .product(name: "EmbeddedPostgres", package: "waymark"), .product(name: "Postgres", package: "waymark"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "EdgeBenchmark",
            dependencies: [
                "ServerUnderLoad",
                .product(name: "Serving", package: "waymark"), .product(name: "Snapshot", package: "waymark"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .target(name: "ServerUnderLoad", swiftSettings: settings),
        .executableTarget(
            name: "HTTPBenchmark",
            dependencies: [
                .product(name: "AASA", package: "waymark"), .product(name: "HTTPAPI", package: "waymark"),
                .product(name: "Postgres", package: "waymark"),
                .product(name: "Publishing", package: "waymark"), .product(name: "Snapshot", package: "waymark"),
                .product(name: "Storage", package: "waymark"), .product(name: "TestSupport", package: "waymark"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .target(
            name: "RunningWaymark",
            dependencies: [
                .product(name: "EmbeddedPostgres", package: "waymark"), .product(name: "Postgres", package: "waymark"),
                // The measured executable. It is built together with the benchmark, in the same folder.
                .product(name: "waymark", package: "waymark"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "EditBenchmark",
            dependencies: [
                "RunningWaymark", .product(name: "AASA", package: "waymark"),
                .product(name: "Postgres", package: "waymark"), .product(name: "Storage", package: "waymark"),
                .product(name: "StrictJSON", package: "waymark"), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ListBenchmark",
            dependencies: [
                "RunningWaymark", .product(name: "AASA", package: "waymark"),
                .product(name: "Postgres", package: "waymark"), .product(name: "Storage", package: "waymark"),
                .product(name: "StrictJSON", package: "waymark"), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "PublicationBenchmark",
            dependencies: [
                "RunningWaymark", .product(name: "AASA", package: "waymark"),
                .product(name: "Postgres", package: "waymark"), .product(name: "Storage", package: "waymark"),
                .product(name: "StrictJSON", package: "waymark"), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ReleaseBenchmark",
            dependencies: [
                "RunningWaymark", .product(name: "AASA", package: "waymark"),
                .product(name: "Postgres", package: "waymark"), .product(name: "Storage", package: "waymark"),
                .product(name: "StrictJSON", package: "waymark"), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "SnapshotBenchmark",
            dependencies: [
                "ServerUnderLoad",
                .product(name: "Serving", package: "waymark"), .product(name: "Snapshot", package: "waymark"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
    ]
)
