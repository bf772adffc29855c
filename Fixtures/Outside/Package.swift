// swift-tools-version: 6.1

import PackageDescription

// A package that knows only what the library exports, and has a target with the name of one of its modules;
// `.ci/try-library` builds, runs and tests it.
let aliases = ["Diagnostics": "MomtoolDiagnostics"]

let package = Package(
    name: "Outside",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "momtool", path: "../..")],
    targets: [
        .target(name: "Diagnostics"),
        .executableTarget(
            name: "Outside",
            dependencies: [
                "Diagnostics",
                .product(name: "Momtool", package: "momtool", moduleAliases: aliases),
            ]
        ),
        .testTarget(
            name: "OutsideTests",
            dependencies: [
                .product(name: "MomtoolTesting", package: "momtool", moduleAliases: aliases)
            ]
        ),
    ]
)
