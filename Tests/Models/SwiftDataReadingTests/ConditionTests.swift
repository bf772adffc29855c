import Diagnostics
import ObjectModel
import SwiftDataReading
import Testing

/// What `#if` asks of a build: its platform, the modules that are there, and the version of the compiler.
struct ConditionTests {
    private func holds(_ condition: String, _ options: SwiftReadingOptions) -> Bool {
        let source = "@Model class T {\n var a = 1\n#if \(condition)\n var b = 1\n#endif\n}"
        return read(source, options).shape(of: "T").contains("b: Integer 64")
    }

    /// The platforms on which a module is there.
    @Test(arguments: [
        ("AppKit", ["macOS"]), ("Cocoa", ["macOS"]), ("WatchKit", ["watchOS"]),
        ("UIKit", ["iOS", "tvOS", "visionOS", "watchOS", "macCatalyst"]),
        ("ActivityKit", ["iOS"]), ("Glibc", []), ("Musl", []), ("WinSDK", []), ("Android", []),
        ("FoundationNetworking", []),
        ("SwiftData", ["iOS", "macOS", "tvOS", "visionOS", "watchOS", "macCatalyst"]),
    ])
    func `a module is there on its platforms`(module: String, platforms: [String]) {
        let all = ["iOS", "macOS", "tvOS", "visionOS", "watchOS", "macCatalyst"]
        let found = all.filter { platform in
            holds("canImport(\(module))", SwiftReadingOptions(platform: platform))
        }
        #expect(Set(found) == Set(platforms))
    }

    @Test(arguments: [
        ("os(macOS)", "macOS", true), ("os(OSX)", "macOS", true), ("os(iOS)", "macOS", false),
        ("os(iOS)", "macCatalyst", true), ("os(macOS)", "macCatalyst", false),
        ("os(iOS)", "iOS", true), ("os(Linux)", "iOS", false), ("arch(arm64)", "iOS", true),
        ("arch(x86_64)", "iOS", false), ("targetEnvironment(macCatalyst)", "macCatalyst", true),
        ("targetEnvironment(macCatalyst)", "iOS", false),
        ("targetEnvironment(simulator)", "iOS", false),
        ("swift(>=5.9)", "iOS", true), ("compiler(>=6.3)", "iOS", true),
        ("compiler(>=6.4)", "iOS", false), ("compiler(<6.4)", "iOS", true),
        ("swift(<6)", "iOS", false), ("hasFeature(X)", "iOS", true),
        ("DEBUG", "iOS", false), ("!DEBUG", "iOS", true), ("os(iOS) && !DEBUG", "iOS", true),
        ("os(macOS) || DEBUG", "iOS", false),
    ])
    func `a build answers a condition`(condition: String, platform: String, answer: Bool) {
        #expect(holds(condition, SwiftReadingOptions(platform: platform)) == answer)
    }

    @Test(arguments: [
        ("os(macOS)", "V2", "V1", ["stage-missing", "stage-order", "swift-condition"]),
        ("DEBUG", "V2", "V1", ["swift-condition"]), ("os(macOS)", "V1", "V2", []),
    ])
    func `a plan of another system is looked at`(
        condition: String,
        from: String,
        to: String,
        rules: [String]
    ) {
        let versions = ["var a = 1", "var a = 1; var b = 1"].enumerated().map { number, members in
            """
            enum V\(number + 1): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number + 1), 0, 0)
                static let models: [any PersistentModel.Type] = [T.self]
                @Model class T { \(members) }
            }
            """
        }
        let plan = """
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] {
                    #if \(condition)
                    [.lightweight(fromVersion: \(from).self, toVersion: \(to).self)]
                    #else
                    [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
                    #endif
                }
            }
            """
        let found = read((versions + [plan]).joined(separator: "\n")).diagnostics
        #expect(found.map(\.rule.rawValue) == rules)
    }

    @Test func `conditions hold as the options say, and others are tried`() {
        let source = """
            #if canImport(SwiftData) && (os(iOS) || os(macOS))
            @Model class T {
                var a = 1
                #if DEBUG && !BETA
                var note = ""
                #elseif compiler(>=5.9)
                var code = 1
                #else
                var other = 1
                #endif
                #if os(macOS)
                @Attribute(.externalStorage)
                #endif
                var data: Data?
            }
            #endif
            """
        let models = read(source)
        #expect(models.shape(of: "T") == ["a: Integer 64", "code: Integer 64", "data: Binary?"])
        #expect(
            models.facts == [
                "Model.swift warning [swift-condition]", "Model.swift warning [swift-condition]",
            ]
        )
        let conditions = zip(models.diagnostics, ["os(macOS)", "DEBUG"])
        #expect(conditions.allSatisfy { $0.message.contains($1) })
        let debug = read(source, SwiftReadingOptions(definitions: ["DEBUG"], platform: "macOS"))
        #expect(debug.shape(of: "T") == ["a: Integer 64", "data: Binary?", "note: String"])
        #expect(
            debug.value.versions.first?.entity("T")?.attributes[1].allowsExternalBinaryDataStorage
                == true
        )
        let beta = read(source, SwiftReadingOptions(definitions: ["DEBUG", "BETA"]))
        #expect(beta.shape(of: "T").contains("code: Integer 64"))
    }
}
