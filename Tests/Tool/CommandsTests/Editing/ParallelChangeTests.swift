import Foundation
import TestSupport
import Testing

struct ParallelChangeTests {
    private static let changes: [[String]] = [
        ["model", "add", EditedShop.model, "attribute", "Book.rating", "Double"],
        ["model", "set", EditedShop.model, "Book.title", "--optional", "no", "--default", "none"],
        ["model", "rename", EditedShop.model, "Book.title", "caption"],
        ["model", "remove", EditedShop.model, "Book.isbn"],
        ["model", "apply", EditedShop.model, "edits.yml"],
        ["model", "new-version", EditedShop.model],
        ["model", "set-current", EditedShop.model, "Shop"],
        ["model", "rename-version", EditedShop.model, "Shop 2", "Shop 3"],
        ["model", "undo-version", EditedShop.model],
        ["model", "new-version", "App"],
        ["lock", EditedShop.model],
        ["lint", EditedShop.model, "--fix"],
        ["init"],
        ["generate", EditedShop.model, "--all", "-o", "Classes"],
    ]

    private func start(_ words: [String], in folder: URL) throws -> Process {
        let process = Process()
        process.executableURL = commandURL
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func fill(_ folder: URL, isRepository: Bool) throws {
        try makeFolder(folder)
        let source = EditedShop.source
        try writeBundle(["Shop": source, "Shop 2": source], EditedShop.model, in: folder)
        try write(
            "- add: attribute Book.rating\n  with: {attributeType: Double}\n",
            "edits.yml",
            in: folder
        )
        try write(
            "import SwiftData\n\n@Model\nfinal class Entry {\n    var text: String = \"\"\n\n    init() {}\n}\n",
            "App/Entry.swift",
            in: folder
        )
        if isRepository { try git("init", "-q", in: folder) }
    }

    @Test(arguments: [false, true])
    func `each command that changes a project waits for the one before`(isRepository: Bool) throws {
        try withFolder { root in
            var begun: [(words: [String], folder: URL, lock: Int32, process: Process)] = []
            for (number, words) in Self.changes.enumerated() {
                let folder = root.appending(path: "\(number)")
                try fill(folder, isRepository: isRepository)
                let file = folder.appending(path: isRepository ? ".git" : ".momtool-turn").path
                let lock = open(file, isRepository ? O_RDONLY : O_RDONLY | O_CREAT, 0o666)
                try #require(flock(lock, LOCK_EX) == 0)
                begun.append((words, folder, lock, try start(words, in: folder)))
            }
            sleep(3)
            for (words, folder, lock, process) in begun {
                #expect(process.isRunning, "\(words)")
                // What was written before the command had its turn is part of what it changes.
                let file = folder.appending(path: "\(EditedShop.model)/Shop 2.xcdatamodel/contents")
                let text = EditedShop.source.replacing(
                    "<attribute name=\"isbn\"",
                    with: "<attribute name=\"color\" optional=\"YES\" attributeType=\"String\"/>\n"
                        + "        <attribute name=\"isbn\""
                )
                try Data(text.utf8).write(to: file)
                close(lock)
                process.waitUntilExit()
                #expect([0, 1].contains(process.terminationStatus), "\(words)")
                let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                #expect(!names.contains { $0.hasSuffix("momtool-turn") }, "\(words)")
                let versions = names.filter { $0.hasSuffix("/contents") }
                let texts = try versions.map { try fileText(folder.appending(path: $0)) }
                let isKept = texts.contains { $0.contains("name=\"color\"") }
                #expect(isKept || words[1] == "undo-version", "\(words)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `versions that are made at the same time follow each other`(isRepository: Bool) throws {
        try withFolder { folder in
            try fill(folder, isRepository: isRepository)
            let words = ["model", "new-version", EditedShop.model]
            let processes = try (0..<6).map { _ in try start(words, in: folder) }
            for process in processes {
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            let model = folder.appending(path: EditedShop.model)
            let names = try FileManager.default.contentsOfDirectory(atPath: model.path)
            let versions = (3...8).map { "Shop \($0).xcdatamodel" }
            #expect(
                names.sorted()
                    == ([".xccurrentversion", "Shop 2.xcdatamodel", "Shop.xcdatamodel"] + versions)
                    .sorted()
            )
            let current = model.appending(path: ".xccurrentversion")
            #expect(try fileText(current).contains(">Shop 8.xcdatamodel<"))
        }
    }

    @Test func `edits that are made at the same time are all there`() throws {
        try withFolder { folder in
            try fill(folder, isRepository: false)
            let processes = try (0..<6).map { number in
                let element = "Book.number\(number)"
                let words = ["model", "add", EditedShop.model, "attribute", element, "Double"]
                return try start(words, in: folder)
            }
            for process in processes {
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            let file = folder.appending(path: "\(EditedShop.model)/Shop 2.xcdatamodel/contents")
            let text = try fileText(file)
            for number in 0..<6 { #expect(text.contains("name=\"number\(number)\"")) }
        }
    }

    @Test func `where nothing can be locked, models are changed all the same`() throws {
        try withFolder { folder in
            try fill(folder, isRepository: false)
            let turn = folder.appending(path: ".momtool-turn")
            try write("mine", "other", in: folder)
            try FileManager.default.createSymbolicLink(
                at: turn,
                withDestinationURL: folder.appending(path: "other")
            )
            #expect(try momtool("model new-version \(EditedShop.model)", in: folder).status == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.contains(".momtool-turn") && names.contains("other"))
        }
    }

    @Test func `a command that tries a change writes nothing beside the model`() throws {
        try EditedShop.with { shop in
            let lock = open(
                shop.folder.appending(path: ".momtool-turn").path,
                O_RDONLY | O_CREAT,
                0o666
            )
            try #require(flock(lock, LOCK_EX) == 0)
            let before = try shop.files()
            let run = try shop.run("add", "attribute", "Book.rating", "Double", "--dry-run")
            #expect(run.status == 0, "\(run.errors)")
            #expect(try shop.files() == before)
            close(lock)
        }
    }
}
