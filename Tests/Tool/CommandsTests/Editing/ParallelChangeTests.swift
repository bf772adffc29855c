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

    private func fill(_ folder: URL, isRepository: Bool = false) throws {
        let source = EditedShop.source
        try writeBundle(["Shop": source, "Shop 2": source], EditedShop.model, in: folder)
        let edits = "- add: attribute Book.rating\n  with: {attributeType: Double}\n"
        try write(edits, "edits.yml", in: folder)
        let entry = "import SwiftData\n\n@Model final class Entry { var text = \"\" }\n"
        try write(entry, "App/Entry.swift", in: folder)
        if isRepository { try makeRepository(folder) }
    }

    /// Takes the turn of a folder, which closing the file gives back.
    private func takeTurn(_ folder: URL, isRepository: Bool = false) throws -> Int32 {
        let file = folder.appending(path: isRepository ? ".git" : ".momtool-turn").path
        let lock = open(file, isRepository ? O_RDONLY : O_RDONLY | O_CREAT, 0o666)
        try #require(flock(lock, LOCK_EX) == 0)
        return lock
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    }

    @Test(arguments: [false, true])
    func `each command that changes a project waits for the one before`(isRepository: Bool) throws {
        let attribute = "<attribute name=\"isbn\""
        let colored = EditedShop.source.replacing(
            attribute,
            with: "<attribute name=\"color\" optional=\"YES\" attributeType=\"String\"/>\n"
                + "        " + attribute
        )
        try withFolder { root in
            let begun = try Self.changes.enumerated().map { number, words in
                let shop = EditedShop(folder: root.appending(path: "\(number)"))
                try fill(shop.folder, isRepository: isRepository)
                let lock = try takeTurn(shop.folder, isRepository: isRepository)
                return (words, shop, lock, try start(words, in: shop.folder))
            }
            sleep(3)
            for (words, shop, lock, process) in begun {
                #expect(process.isRunning, "\(words)")
                // What was written before the command had its turn is part of what it changes.
                try Data(colored.utf8).write(to: shop.file("Shop 2"))
                close(lock)
                process.waitUntilExit()
                #expect([0, 1].contains(process.terminationStatus), "\(words)")
                let names = try names(in: shop.folder)
                #expect(!names.contains { $0.hasSuffix("momtool-turn") }, "\(words)")
                let texts = try names.filter { $0.hasSuffix("/contents") }
                    .map { try fileText(shop.folder.appending(path: $0)) }
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
            try expectSuccess(of: (0..<6).map { _ in try start(words, in: folder) })
            let model = folder.appending(path: EditedShop.model)
            let found = try FileManager.default.contentsOfDirectory(atPath: model.path)
            let versions = (2...8).map { "Shop \($0).xcdatamodel" }
            #expect(Set(found) == Set([".xccurrentversion", "Shop.xcdatamodel"] + versions))
            let current = model.appending(path: ".xccurrentversion")
            #expect(try fileText(current).contains(">Shop 8.xcdatamodel<"))
        }
    }

    @Test func `edits that are made at the same time are all there`() throws {
        try EditedShop.with { shop in
            let add = ["model", "add", EditedShop.model, "attribute"]
            let started = try (0..<6).map {
                try start(add + ["Book.number\($0)", "Double"], in: shop.folder)
            }
            expectSuccess(of: started)
            let text = try fileText(shop.file("Shop 2"))
            for number in 0..<6 { #expect(text.contains("name=\"number\(number)\"")) }
        }
    }

    private func expectSuccess(of processes: [Process]) {
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    @Test func `where nothing can be locked, models are changed all the same`() throws {
        try EditedShop.with { shop in
            try write("mine", "other", in: shop.folder)
            try FileManager.default.createSymbolicLink(
                at: shop.folder.appending(path: ".momtool-turn"),
                withDestinationURL: shop.folder.appending(path: "other")
            )
            #expect(try shop.run(["new-version"]).status == 0)
            #expect(Set(try names(in: shop.folder)).isSuperset(of: [".momtool-turn", "other"]))
        }
    }

    @Test func `a command that tries a change writes nothing beside the model`() throws {
        try EditedShop.with { shop in
            let lock = try takeTurn(shop.folder)
            let before = try shop.files()
            let run = try shop.run(["add", "attribute", "Book.rating", "Double", "--dry-run"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try shop.files() == before)
            close(lock)
        }
    }
}
