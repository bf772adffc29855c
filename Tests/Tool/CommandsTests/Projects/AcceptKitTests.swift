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

    /// Such a report is made from a kit, as nothing else can run here.
    @Test func `a report that agrees with its kit has no findings, and a newer kit may differ`()
        throws
    {
        try withFolder { folder in
            let place = Corpus.package.appending(path: "Fixtures/Cases/attribute-renamed").path
            try expectRun("accept kit Kit \(place)", in: folder, 0)
            let manifest = try fileText(folder.appending(path: "Kit/kit.json"))
            let kit = try JSONSerialization.jsonObject(with: Data(manifest.utf8)) as? [String: Any]
            let items = try #require(kit?["items"] as? [[String: Any]])
            let checks: [[String: Any]] = items.flatMap { item in
                (item["expected"] as? [String: Any] ?? [:]).sorted { $0.key < $1.key }.map {
                    [
                        "case": item["name"] ?? "", "check": $0.key, "rules": item["rules"] ?? [],
                        "expected": $0.value, "observed": $0.value,
                    ]
                }
            }
            let system = ["name", "version", "machine", "coreData", "xcode"].map { ($0, "none") }
            let report: [String: Any] = [
                "format": 1, "momtool": "0", "checks": checks,
                "system": Dictionary(uniqueKeysWithValues: system),
            ]
            let data = try JSONSerialization.data(withJSONObject: report)
            try data.write(to: folder.appending(path: "R.json"))
            let counts = "\(checks.count) same, 0 different"
            try expectRun("accept report R.json", in: folder, 0, counts)
            try expectRun("accept report R.json --kit Kit", in: folder, 0)
            let newer = manifest.replacing("\"inferred\"", with: "\"refused\"")
            try write(newer, "Kit/kit.json", in: folder)
            let words = "momtool: refused; Core Data: inferred"
            try expectRun("accept report R.json --kit Kit", in: folder, 1, words)
        }
    }

    @Test func `each question to SwiftData has a hash, and says what follows from another`() throws
    {
        let folder = Self.program.appending(path: "SwiftData")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let files = names.filter { $0.hasSuffix(".swift") && $0 != "main.swift" }
        #expect(files.count >= 4)
        for file in files.map({ folder.appending(path: $0) }) {
            let source = try fileText(file)
            let lines = try momtool("hash", file.path).output.split(separator: "\n")
            for words in lines.filter({ $0.hasPrefix("  ") }).map({ $0.split(separator: " ") })
            where words[0] != "checksum" && words[0] != "digest" {
                #expect(source.contains("\n// \(words[0]): "), "\(words)")
                #expect(words[1] != "not" || words[0] == "Ephemeral", "\(words)")
            }
        }
    }

    @Test func `a report that is nested without end is refused`() throws {
        try withFolder { folder in
            try write(String(repeating: "[", count: 100_000), "R.json", in: folder)
            try expectRun("accept report R.json", in: folder, 65, errors: ["[not-a-report]"])
        }
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
