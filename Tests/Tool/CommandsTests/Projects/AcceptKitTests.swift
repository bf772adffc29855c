import Foundation
import TestSupport
import Testing

struct AcceptKitTests {
    private static let program = Corpus.package.appending(path: "Tests/Acceptance")

    private static let clang: URL? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: "\($0)/clang") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
    }()

    /// GNUstep's headers: below `/usr`, as Debian's packages put them, or where `MOMTOOL_GNUSTEP` says.
    private static let gnustep: [String]? = {
        let root = ProcessInfo.processInfo.environment["MOMTOOL_GNUSTEP"] ?? "/usr"
        let headers = "\(root)/include/GNUstep"
        let compilers = "\(root)/lib/gcc/x86_64-linux-gnu"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: compilers)) ?? []
        let runtime = versions.map { "\(compilers)/\($0)/include" }.first {
            FileManager.default.fileExists(atPath: "\($0)/objc/objc.h")
        }
        guard let runtime,
            FileManager.default.fileExists(atPath: "\(headers)/Foundation/Foundation.h")
        else { return nil }
        return ["-isystem", headers, "-isystem", runtime]
    }()

    private func check(_ clang: URL, _ arguments: [String], _ files: [URL]) throws -> CommandResult
    {
        let options = [
            "-fsyntax-only", "-fobjc-runtime=gnustep-2.0", "-fblocks", "-fobjc-exceptions",
            "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I",
            Self.program.appending(path: "Declarations/Runtime").path,
        ]
        return try result(of: clang, options + arguments + files.map(\.path))
    }

    private static func sources() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: program.path).sorted()
            .filter { $0.hasSuffix(".m") }.map { program.appending(path: $0) }
    }

    @Test(.enabled(if: clang != nil))
    func `the acceptance program is right Objective-C by the declarations`() throws {
        let clang = try #require(Self.clang)
        let plain = Self.program.appending(path: "Declarations/Plain").path
        let files = try Self.sources()
        #expect(files.count >= 6)
        let result = try check(clang, ["-fobjc-arc", "-I", plain], files)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(.enabled(if: clang != nil))
    func `a call that Core Data does not have is found`() throws {
        let clang = try #require(Self.clang)
        try withFolder { folder in
            let file = folder.appending(path: "Stores.m")
            let text = try fileText(Self.program.appending(path: "Stores.m"))
            let wrong = text.replacing("removePersistentStore", with: "removeStore")
                .replacing("initWithManagedObjectModel:", with: "initWithModels:")
            try #require(wrong != text)
            try Data(wrong.utf8).write(to: file)
            let plain = Self.program.appending(path: "Declarations/Plain").path
            let headers = ["-fobjc-arc", "-I", plain, "-I", Self.program.path]
            let result = try check(clang, headers, [file])
            #expect(result.status != 0)
            #expect(result.errors.contains("initWithModels:"), "\(result.errors)")
        }
    }

    @Test(.enabled(if: clang != nil && gnustep != nil))
    func `the acceptance program is right Objective-C by GNUstep's headers`() throws {
        let result = try check(
            try #require(Self.clang),
            try #require(Self.gnustep),
            try Self.sources()
        )
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func `the program takes part in nothing but Foundation and Core Data`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.program.path)
            .filter { $0.hasSuffix(".m") || $0.hasSuffix(".h") }
        for name in files {
            let text = try fileText(Self.program.appending(path: name))
            let headers = text.matches(of: /(?m)^#(?:import|include) (.*)$/).map { String($0.1) }
            let known = [
                "\"Acceptance.h\"", "<CoreData/CoreData.h>", "<Foundation/Foundation.h>",
                "<dlfcn.h>", "<math.h>", "<stdio.h>",
            ]
            #expect(Set(headers).isSubset(of: known), "\(name): \(headers)")
            #expect(text.split(separator: "\n").count <= 400)
        }
        #expect(files.count >= 7)
    }

    private func items(_ inputs: [String], in folder: URL) throws -> [String: [String: Any]] {
        let kit = folder.appending(path: "Kit")
        let result = try momtool(["accept", "kit", kit.path] + inputs)
        try #require(result.status == 0, "\(result.errors)")
        let data = try Data(contentsOf: kit.appending(path: "kit.json"))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let items = try #require(object?["items"] as? [[String: Any]])
        return Dictionary(items.map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
    }

    @Test func `a kit has what momtool expects of versions, steps and stores`() throws {
        try withFolder { folder in
            let items = try items(
                [
                    "Models/Library.xcdatamodeld", "Fixtures/Cases/attribute-renamed",
                    "Fixtures/Cases/stages-lightweight-alone", "Fixtures/Cases/string-becomes-date",
                ],
                in: folder
            )
            let version = try #require(items["Models/Library.xcdatamodeld V1"])
            let expected = try #require(version["expected"] as? [String: Any])
            #expect(
                Set(expected.keys) == [
                    "loads", "entity-hashes", "checksum", "layout", "momc-hashes", "equals-momc",
                    "momc-renamings",
                ]
            )
            let hashes = try #require(expected["entity-hashes"] as? [String: String])
            #expect(hashes.values.allSatisfy { Data(base64Encoded: $0)?.count == 32 })
            for key in ["compiled", "source"] {
                let path = try #require(version[key] as? String)
                let file = folder.appending(path: "Kit/\(path)").path
                #expect(FileManager.default.fileExists(atPath: file))
            }
            let renamed = try #require(items["Fixtures/Cases/attribute-renamed"])
            let store = try #require(renamed["expected"] as? [String: Any])
            #expect(store["own-migration"] as? String == "migrated")
            let objects = try #require(store["objects"] as? [String: [String: Any]])
            #expect(!objects.isEmpty && objects.values.allSatisfy { $0["@entity"] != nil })
            let own = try #require(store["own-objects"] as? [String: [String: Any]])
            #expect(NSDictionary(dictionary: own) == NSDictionary(dictionary: objects))
            let staged = try #require(items["Fixtures/Cases/stages-lightweight-alone"])
            #expect((staged["stages"] as? [Any])?.count == 2)
            let refused = try #require(items["Fixtures/Cases/string-becomes-date V1 to V2"])
            #expect((refused["expected"] as? [String: Any])?["inference"] as? String == "refused")
            let rules = try #require(refused["rules"] as? [[String: String]])
            #expect(rules.contains { $0["rule"] == "incompatible-attribute-types" })
        }
    }

    /// Such a report is made from a kit, as nothing else can run here.
    @Test func `a report that agrees with its kit has no findings, and a newer kit may differ`()
        throws
    {
        try withFolder { folder in
            let items = try items(["Fixtures/Cases/attribute-renamed"], in: folder)
            var checks: [[String: Any]] = []
            for (name, item) in items.sorted(by: { $0.key < $1.key }) {
                let expected = item["expected"] as? [String: Any] ?? [:]
                for (check, value) in expected.sorted(by: { $0.key < $1.key }) {
                    checks.append([
                        "case": name, "check": check, "rules": item["rules"] ?? [],
                        "expected": value, "observed": value,
                    ])
                }
            }
            let system = Dictionary(
                uniqueKeysWithValues: ["name", "version", "machine", "coreData", "xcode"].map {
                    ($0, "none")
                }
            )
            let report: [String: Any] = [
                "format": 1, "momtool": "0", "system": system, "checks": checks,
            ]
            let file = folder.appending(path: "Report.json")
            try JSONSerialization.data(withJSONObject: report).write(to: file)
            try expectRun(["accept", "report", file.path], 0, "\(checks.count) same, 0 different")
            let kit = folder.appending(path: "Kit")
            try expectRun(["accept", "report", file.path, "--kit", kit.path], 0)
            let manifest = kit.appending(path: "kit.json")
            let text = try fileText(manifest)
            let newer = text.replacing("\"inferred\"", with: "\"refused\"")
            try #require(newer != text)
            try Data(newer.utf8).write(to: manifest)
            let differing = try momtool("accept", "report", file.path, "--kit", kit.path)
            #expect(differing.status == 1)
            #expect(differing.output.contains("momtool: refused; Core Data: inferred"))
        }
    }

    @Test func `what the kit expects is the same each time, and no folder is replaced`() throws {
        try withFolder { folder in
            let inputs = ["Fixtures/Cases/attribute-renamed"]
            _ = try items(inputs, in: folder)
            let kit = folder.appending(path: "Kit")
            let first = try Data(contentsOf: kit.appending(path: "kit.json"))
            #expect(try momtool(["accept", "kit", kit.path] + inputs).status == 73)
            let other = folder.appending(path: "Other")
            #expect(try momtool(["accept", "kit", other.path] + inputs).status == 0)
            #expect(try Data(contentsOf: other.appending(path: "kit.json")) == first)
            let empty = folder.appending(path: "Empty")
            try makeFolder(empty)
            let nothing = folder.appending(path: "Nothing")
            #expect(try momtool("accept", "kit", nothing.path, empty.path).status != 0)
            #expect(!FileManager.default.fileExists(atPath: nothing.path))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.allSatisfy { !$0.contains("unfinished") }, "\(left)")
        }
    }

    @Test func `every question that nobody can answer is a case that passes as momtool rules`()
        throws
    {
        try expectRun(["test", "Fixtures/Questions", "--jobs", "2"], 0)
    }

    @Test func `the script says on other systems than macOS that Core Data was not asked`() throws {
        #if !os(macOS)
            try withFolder { folder in
                let script = Self.program.appending(path: "run")
                let result = try result(
                    of: URL(fileURLWithPath: "/bin/sh"),
                    [script.path],
                    in: folder
                )
                #expect(result.status == 66)
                #expect(result.errors.contains("Core Data was not asked"), "\(result.errors)")
            }
        #endif
    }
}
