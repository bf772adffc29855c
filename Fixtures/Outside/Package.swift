// swift-tools-version: 6.1

import PackageDescription

// A package that knows only what the library exports; `.ci/try-library` builds, runs and tests it.
let package = Package(
    name: "Outside",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "momtool", path: "../..")],
    targets: [
        .executableTarget(
            name: "Outside",
            dependencies: [.product(name: "Momtool", package: "momtool")]
        ),
        .testTarget(
            name: "OutsideTests",
            dependencies: [.product(name: "MomtoolTesting", package: "momtool")]
        ),
    ]
)
