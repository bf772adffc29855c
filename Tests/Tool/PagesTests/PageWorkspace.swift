import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import ModelLoading
import ObjectModel
import PropertyLists
import StoreFormat
import TestSupport
import Testing

/// A folder with all that the commands of the documentation name, as a reader may have it.
struct PageWorkspace {
    enum Stores: CaseIterable {
        case first, last, swift
        case empty

        var model: String {
            switch self {
            case .first, .empty: "Shop.xcdatamodeld#V1"
            case .last: "Shop.xcdatamodeld#V7"
            case .swift: "Sources/Shop#SchemaV1"
            }
        }

        var rows: String { self == .swift || self == .empty ? "None.json" : "Rows.json" }

        init(of command: String) {
            if command.contains("--mapping-models") {
                self = .empty
                return
            }
            let isSwift = command.contains("Sources/Shop") || command.contains("Sources/App")
            let isOther = command.contains("Shop.xcdatamodeld") || command.contains("Stages.yml")
            self = isSwift && !isOther ? .swift : command.contains("#V7") ? .last : .first
        }
    }

    let folder: URL

    init(_ stores: Stores, at folder: URL) throws {
        self.folder = folder
        try makeFolder(folder)
        try writeBundle(
            Dictionary(uniqueKeysWithValues: (1...7).map { ("V\($0)", Self.model($0)) }),
            "Shop.xcdatamodeld",
            in: folder,
            current: "V7"
        )
        try writeMapping()
        try writeHistory()
        try writeFiles()
        try writeStores(of: stores.model, stores.rows)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a command as a reader does, in a copy of the folder, which is removed afterwards.
    ///
    /// `isMistake` is whether to skip the preparation that makes it right.
    func result(
        of command: String,
        at place: URL,
        isMistake: Bool = false
    ) throws -> CommandResult {
        try copyFile(folder, to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        if command.contains(" --history") { try Self.keepHistory(in: place) }
        let space = PageWorkspace(copied: place)
        if !isMistake, Self.needsVersion(command) {
            let made = try space.run("momtool model new-version Shop.xcdatamodeld -q")
            guard made.status == 0 else { throw Failure(description: made.errors) }
        }
        return try space.run(command)
    }

    /// Whether a command edits the current version, which a reader has made before: the existing ones are locked.
    private static func needsVersion(_ command: String) -> Bool {
        let edits = ["add", "apply", "move", "remove", "rename", "set", "undo-version"]
        return !command.contains("--new-version")
            && edits.contains { command.hasPrefix("momtool model \($0) Shop.xcdatamodeld") }
    }

    private init(copied folder: URL) { self.folder = folder }

    /// Replaces the app's store by one with persistent history, which `momtool create` does not make.
    private static func keepHistory(in folder: URL) throws {
        let bundle = readModelBundle(at: folder.appending(path: "Shop.xcdatamodeld").path).value
        guard let version = bundle.versions.first else { return }
        let path = folder.appending(path: "Shop.sqlite").path
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        let options = StoreCreationOptions(keepsHistory: true)
        try createStore(at: path, model: version.model, options: options)
    }

    private func run(_ script: String) throws -> CommandResult {
        let environment = [
            "PATH": commandFolder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
            "SRCROOT": ".",
        ]
        return try shellResult(script, in: folder, environment: environment)
    }

    private static func model(_ number: Int) -> String {
        let more = (1..<number).map {
            "<attribute name='more\($0)' optional='YES' attributeType='String'/>"
        }.joined()
        return """
            <model><entity name='Book'>\
            <attribute name='title' attributeType='String' defaultValueString=''/></entity>
            <entity name='Customer'><attribute name='name' optional='YES' attributeType='String'/>\(more)
            <relationship name='orders' optional='YES' toMany='YES' deletionRule='Cascade' \
            destinationEntity='Order' inverseName='customer' inverseEntity='Order'/></entity>
            <entity name='Order'><attribute name='number' optional='YES' attributeType='Integer 32'/>
            <attribute name='created' optional='YES' attributeType='Date'/>
            <relationship name='customer' optional='YES' maxCount='1' deletionRule='Nullify' \
            destinationEntity='Customer' inverseName='orders' inverseEntity='Customer'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='Book'/></configuration>
            </model>
            """
    }

    /// Writes a mapping model that copies only books.
    ///
    /// It is for the step back, so that no step forward finds it by its hashes.
    private func writeMapping() throws {
        let bundle = readModelBundle(at: folder.appending(path: "Shop.xcdatamodeld").path).value
        guard let first = bundle.versions.first, let last = bundle.versions.last else { return }
        let book = MappingModelSource.EntityMapping(
            sourceName: "Book",
            destinationName: "Book",
            policyClassName: nil,
            number: 1,
            attributes: [
                MappingModelSource.PropertyMapping(
                    name: "title",
                    valueExpression: try PredicateExpression(parsing: "$source.title")
                )
            ]
        )
        let compiled = compileMappingModel(
            MappingModelSource(entityMappings: [book]),
            from: last.model,
            to: first.model
        )
        let mappings = folder.appending(path: "Mappings")
        try makeFolder(mappings)
        try compiled.value.binaryData.write(to: mappings.appending(path: "Books.cdm"))
    }

    /// Writes sources and models in three commits, whose tags are releases.
    private func writeHistory() throws {
        let journal = Corpus.package.appending(path: "Models/Journal")
        for name in try FileManager.default.contentsOfDirectory(atPath: journal.path) {
            let text = try fileText(journal.appending(path: name)).replacing("Entry", with: "Item")
            for place in ["Shop", "App"] { try write(text, "Sources/\(place)/\(name)", in: folder) }
        }
        try copy("Shop.xcdatamodeld", "App/Shop.xcdatamodeld")
        let stages = "stages: [{lightweight: [V1, V2, V3, V4, V5, V6, V7]}]"
        try write("model: Shop.xcdatamodeld\n\(stages)\n", "Stages.yml", in: folder)
        try commit("one", in: folder)
        try tag("v1.0", in: folder)
        let schema = "Sources/Shop/SchemaV3.swift"
        let text = try fileText(folder.appending(path: schema))
        let shipped = text.replacing(/var tags:.*/) { "\($0.output); var shipped: Int?" }
        try write(shipped, schema, in: folder)
        try commit("shipped", in: folder)
        try tag("v1.4", in: folder)
        try write(text, schema, in: folder)
        try write("{}\n", "None.json", in: folder)
        let rows = """
            {"Customer": [{"@id": "c", "name": "A"}], "Book": [{"@id": "b", "title": "T"}],
             "Order": [{"@id": "o", "number": 1, "customer": "Customer/c"}]}

            """
        try write(rows, "Rows.json", in: folder)
        let last = "Shop.xcdatamodeld/V7.xcdatamodel/contents"
        let model = try fileText(folder.appending(path: "App/\(last)"))
        let identified = "<model userDefinedModelVersionIdentifier=\"7\">"
        try write(model.replacing("<model>", with: identified), last, in: folder)
        try commit("two", in: folder)
        for release in ["v2.0", "v3.0"] { try tag(release, in: folder) }
    }

    private func writeFiles() throws {
        try copyFile(
            Corpus.package.appending(path: "Fixtures/Acceptance/Agreeing.json"),
            to: folder.appending(path: "Report.json")
        )
        let rows = try fileText(folder.appending(path: "Rows.json"))
        let files = [
            "MigrationCases/one/before.json": rows, "MigrationCases/one/after.json": rows,
            "MigrationCases/one/case.yml": "model: ../../Shop.xcdatamodeld\nfrom: V1\n",
            "edits.yml": "- add: attribute Book.rating\n  with: {attributeType: Double}\n",
            "crash.log": "reason=Can't find model for source store, code 134130\n",
            "stores.txt": "Shop.sqlite\n",
        ]
        for (path, text) in files { try write(text, path, in: folder) }
        try copy("Shop.xcdatamodeld", "New.xcdatamodeld")
        for side in ["Base", "Ours", "Theirs"] {
            try copy("Shop.xcdatamodeld/V1.xcdatamodel/contents", "\(side)/contents")
        }
        try makeFolder(folder.appending(path: "Merged"))
    }

    private func writeStores(of model: String, _ rows: String) throws {
        for place in ["Shop", "Old", "Field", "Devices/a/Shop", "Field/a"] {
            let store = "\(place).sqlite"
            try makeFolder(folder.appending(path: store).deletingLastPathComponent())
            try expectRun(["create", store, "--model", model, "--rows", rows], in: folder, 0)
        }
        try expectRun("lock Shop.xcdatamodeld", in: folder, 0)
        try expectRun("lock Sources/Shop", in: folder, 0)
        try expectRun("compile Shop.xcdatamodeld -o Shop.app", in: folder, 0)
        try copy("Shop.app/Shop.momd", "Old.momd")
        let schema = try expectRun("cloudkit schema Shop.xcdatamodeld", in: folder, 0).output
        for name in ["production", "development"] { try write(schema, "\(name).ckdb", in: folder) }
    }

    private func copy(_ path: String, _ place: String) throws {
        let place = folder.appending(path: place)
        try makeFolder(place.deletingLastPathComponent())
        try copyFile(folder.appending(path: path), to: place)
    }
}

/// Runs lines of shell, in this process and up to the first that fails where each is a command of momtool and asks nothing
/// of the shell.
func shellResult(
    _ script: String,
    in folder: URL,
    environment: [String: String],
    shellOption: String = "-c"
) throws -> CommandResult {
    let lines = script.split(separator: "\n").map(String.init)
    let isPlain = lines.allSatisfy { line in
        line.hasPrefix("momtool ") && !line.hasPrefix("momtool mcp")
            && !line.contains(where: "|<>;&$*`(\\#~".contains)
    }
    guard isPlain else {
        let shell = URL(filePath: "/bin/sh")
        return try result(of: shell, [shellOption, script], in: folder, environment: environment)
    }
    var all = CommandResult(status: 0, output: "", errors: "")
    for line in lines where all.status == 0 {
        let words = Array(try shellWords(line).dropFirst())
        let run = try momtool(words, in: folder, environment: environment)
        (all.status, all.output, all.errors) =
            (run.status, all.output + run.output, all.errors + run.errors)
    }
    return all
}
