import Foundation
import TestSupport
import Testing

/// What a project can make a command read: nothing outside of it.
struct ReachTests {
    /// The files of a project that name a path, here `~`.
    private static let settings =
        [
            "stages: ['~']", "mappingModels: ['~']", "policies: {P: '~'}",
            "swift: {sources: ['~']}",
        ].map { (".momtool.yml", $0) }
        + [
            "model: '~'", "mappingModels: ['~']", "policies: {P: '~'}",
        ].map { ("Stages.yml", $0 + "\nstages: [{lightweight: [V1, V2]}]") }
        + [
            "lightweight: ['~#V1', V2]", "custom: {from: '~#V1', to: V2}",
            "custom: {from: V1, to: V2}, map: '~'", "custom: {from: V1, to: V2}, willMigrate: '~'",
            "custom: {from: V1, to: V2}, didMigrate: '~'",
        ].map { ("Stages.yml", "model: M.xcdatamodeld\nstages: [{\($0)}]") }
        + [
            "base: '~'", "before: '~'", "after: '~'", "stages: '~'", "mappingModels: ['~']",
            "policies: {P: '~'}", "cases: {one: {before: '~'}}",
        ].map { ("Cases/one/case.yml", "model: ../../M.xcdatamodeld\nfrom: V1\n\($0)") }
        + [
            ("Cases/one/case.yml", "model: '~'\nfrom: V1"),
            ("corpus.json", #"{"stores": [{"path": "~"}], "model": "~"}"#),
            (
                "project.yml",
                "targets: {App: {type: application, sources: ['~'], entitlements: {path: '~'}}}"
            ),
        ]

    /// Links that a repository can bring along, by their names.
    private static let links = [
        "Linked", "Linked.swift", "App.entitlements", "M.xcdatamodeld.lock", "momtool.ignore",
        "Linked.xcdatamodeld", "Linked.xcmappingmodel", "Stages.yml", "Cases/two",
        "Cases/one/case.yml",
        ".momtool.yml",
    ]

    private static let commands = [
        "check .", "lint .", "test .", "plan M.xcdatamodeld",
        "migrate S.sqlite --stages Stages.yml -o New.sqlite",
        "generate M.xcdatamodeld -o Classes", "model add M.xcdatamodeld entity Tag --dry-run",
    ]

    @Test(.enabled(if: canInjectSystemFaults), arguments: settings.indices)
    func `no path in a file leads a command out of the project`(index: Int) throws {
        let (name, text) = Self.settings[index]
        try withProject { folder, outside in
            let places = [outside.path, "../Outside", "/etc/hosts", "/dev/zero", "Way"]
            let place = places[index % places.count] + (index % 5 < 2 ? "/M.xcdatamodeld" : "")
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "Way"),
                withDestinationURL: outside.appending(path: "Stages.yml")
            )
            try write(text.replacing("~", with: place), name, in: folder)
            for command in Self.commands.prefix(5) {
                #expect(
                    try Self.reached(by: command, in: folder, outside) == [],
                    "\(name): \(text)"
                )
            }
        }
    }

    @Test(.enabled(if: canInjectSystemFaults), arguments: links)
    func `no link leads a command out of the project`(name: String) throws {
        try withProject { folder, outside in
            let link = folder.appending(path: name)
            try? FileManager.default.removeItem(at: link)
            let ending = [".swift", ".entitlements", ".lock", ".ignore", ".yml"].first(
                where: name.hasSuffix
            )
            let target =
                name.contains("xcdatamodeld.lock") || name == "momtool.ignore" || ending == nil
                ? "" : "Any\(ending ?? "")"
            try FileManager.default.createSymbolicLink(
                at: link,
                withDestinationURL: target.isEmpty ? outside : outside.appending(path: target)
            )
            // What the user names may be anywhere.
            for command in Self.commands where !command.contains(" \(name) ") {
                #expect(try Self.reached(by: command, in: folder, outside) == [], "\(name)")
            }
        }
    }

    private func withProject(_ body: (_ project: URL, _ outside: URL) throws -> Void) throws {
        try withFolder { folder in
            let all = folder.resolvingSymlinksInPath()
            let (project, outside) = (
                all.appending(path: "Project"), all.appending(path: "Outside")
            )
            let entity = xcodeSource("<entity name='Item'/>")
            for place in [project, outside] {
                try writeBundle(["V1": entity, "V2": entity], "M.xcdatamodeld", in: place)
                try makeFolder(place.appending(path: ".git"))
                try write(
                    "model: M.xcdatamodeld\nstages: [{lightweight: [V1, V2]}]\n",
                    "Stages.yml",
                    in: place
                )
                try write(
                    "model: ../../M.xcdatamodeld\nfrom: V1\nbefore: {}\n",
                    "Cases/one/case.yml",
                    in: place
                )
            }
            for ending in ["swift", "entitlements", "yml"] {
                try write(
                    "stages: []\n@Model class Item { NSManagedObject }",
                    "Any.\(ending)",
                    in: outside
                )
            }
            try run("create S.sqlite --model M.xcdatamodeld#V1", in: project, nil)
            try body(project, outside)
        }
    }

    @discardableResult
    private func run(_ line: String, in folder: URL, _ log: URL?) throws -> CommandResult {
        try Self.run(line, in: folder, log)
    }

    @discardableResult
    private static func run(_ line: String, in folder: URL, _ log: URL?) throws -> CommandResult {
        let environment = log.map { ["MOMTOOL_OPENS": $0.path] } ?? [:]
        let words = line.split(separator: " ").map(String.init)
        return try result(of: faultyProgram, words, in: folder, environment: environment)
    }

    /// The files that a command reads in a folder, or in those of the system that tests name.
    private static func reached(by line: String, in folder: URL, _ outside: URL) throws -> [String]
    {
        let log = folder.deletingLastPathComponent().appending(path: "opens.log")
        try? FileManager.default.removeItem(at: log)
        let run = try run(line, in: folder, log)
        #expect(!run.wasKilled && run.status < 128, "\(line): \(run)")
        try? FileManager.default.removeItem(at: folder.appending(path: "New.sqlite"))
        try? FileManager.default.removeItem(at: folder.appending(path: "Classes"))
        return try fileText(log).split(separator: "\n").map(String.init).filter { path in
            path.hasPrefix(outside.path + "/") || ["/etc/hosts", "/dev/zero"].contains(path)
        }
    }

    /// The library's files that open files, by why they may: what a file of a project names goes through `boundsFault`.
    private static let openers = [
        "walks that leave out links to outside": [
            "Momtool/Checking/ProjectFiles", "Momtool/Inputs/AppFaults",
            "Momtool/Inputs/AppSources", "Momtool/Inputs/AppTargets", "Momtool/Inputs/CodeModels",
            "ModelLoading/Bundles/TuistReading", "ProjectChecking/HeldVersions",
            "ProjectChecking/NewProject",
            "ProjectChecking/ProjectCheck+RemovedModels",
        ],
        "the function itself": [
            "Momtool/Checking/LockFile", "MigrationTesting/Cases/MigrationCase",
            "Momtool/Inputs/SwiftSources",
        ],
        "paths that the function has let through": [
            "MigrationTesting/Corpus/Corpus", "MigrationTesting/Corpus/CorpusTestSource",
            "Momtool/Mappings/MappingModels+Steps", "Momtool/Migrating/Stages",
            "ProjectChecking/ProjectCheck+Revision",
        ],
        "parts of a model or a store that is named, and files that are written": [
            "Diagnosing/FileDamage", "MigrationTesting/Acceptance/KitWriter",
            "MigrationTesting/Acceptance/StoreObjects", "ModelLoading/Bundles/SourceBundleReading",
            "ModelLoading/Bundles/SwiftBundleReading",
            "ModelLoading/Compiled/CompiledMappingReading",
            "ModelLoading/Compiled/CompiledModelReading",
            "Momtool/Checking/FixRun", "Momtool/Checking/Linter", "Momtool/Editing/BundleEditor",
            "Momtool/Editing/SwiftSourceEditor",
            "Momtool/Editing/VersionChange", "Momtool/Inputs/InputKind",
            "Momtool/Inputs/ModelPlace",
        ],
    ]

    private static let openingWords = [
        "readFile", "readText", "fileStart", "FileHandle", "Data(contentsOf",
    ]

    @Test func `no file is opened past the function that keeps paths inside`() throws {
        let sources = Corpus.package.appending(path: "Sources")
        var found: Set<String> = []
        for area in ["Library", "Models"] {
            let folder = sources.appending(path: area)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            where path.hasSuffix(".swift") {
                let text = try fileText(folder.appending(path: path))
                // Spares most files the slow pattern.
                guard Self.openingWords.contains(where: text.contains) else { continue }
                let isOpening = text.split(separator: "\n").contains { line in
                    !line.contains("///") && !line.contains("func ")
                        && line.contains(
                            /\b(readFile|readText|fileStart|FileHandle)\(|Data\(contentsOf/
                        )
                }
                if isOpening { found.insert(String(path.dropLast(".swift".count))) }
            }
        }
        #expect(found == Set(Self.openers.values.joined()))
        for name in Self.openers["the function itself"] ?? [] {
            let file = sources.appending(path: "Library/\(name).swift")
            #expect(try fileText(file).contains("boundsFault("), "\(name)")
        }
    }
}
