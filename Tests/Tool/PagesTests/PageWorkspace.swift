import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import ModelLoading
import ObjectModel
import PropertyLists
import StoreFormat
import TestSupport

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
        let rows = [.swift, .empty].contains(stores) ? "None.json" : "Rows.json"
        let made = try run(Self.script, ["MODEL": stores.model, "ROWS": rows])
        guard made.status == 0 else { throw Failure(description: made.errors + made.output) }
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

    private func run(
        _ script: String,
        _ environment: [String: String] = [:]
    ) throws -> CommandResult {
        let own = [
            "PATH": commandFolder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
            "JOURNAL": Corpus.package.appending(path: "Models/Journal").path,
            "REPORT": Corpus.package.appending(path: "Fixtures/Acceptance/Agreeing.json").path,
            "SRCROOT": ".", "JOB_COMPLETION_INDEX": "0",
        ]
        return try shellResult(script, in: folder, environment: own.merging(environment) { $1 })
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

    private static let script = #"""
        set -e
        for folder in Shop App; do
            mkdir -p Sources/$folder
            for file in "$JOURNAL"/*.swift; do
                sed 's/Entry/Item/g' "$file" > Sources/$folder/$(basename "$file")
            done
        done
        mkdir App && cp -R Shop.xcdatamodeld App/
        echo "model: Shop.xcdatamodeld
        stages: [{lightweight: [V1, V2, V3, V4, V5, V6, V7]}]" > Stages.yml
        git init -q -b main --template=
        commit() {
            git add -A
            git -c user.name=a -c user.email=a@example.com -c commit.gpgsign=false commit -qm "$1"
        }
        commit one
        git tag v1.0
        sed -i.old 's/var tags:.*/&; var shipped: Int?/' Sources/Shop/SchemaV3.swift
        mv Sources/Shop/SchemaV3.swift.old Before.swift
        commit shipped
        git tag v1.4
        mv Before.swift Sources/Shop/SchemaV3.swift
        echo '{}' > None.json
        echo '{"Customer": [{"@id": "c", "name": "A"}], "Book": [{"@id": "b", "title": "T"}],
            "Order": [{"@id": "o", "number": 1, "customer": "Customer/c"}]}' > Rows.json
        sed 's/<model>/<model userDefinedModelVersionIdentifier="7">/' \
            App/Shop.xcdatamodeld/V7.xcdatamodel/contents > Shop.xcdatamodeld/V7.xcdatamodel/contents
        commit two
        git tag v2.0
        git tag v3.0
        git gc -q
        for place in Shop Old Field Devices/a/Shop Field/a; do
            mkdir -p $(dirname $place)
            momtool create $place.sqlite --model "$MODEL" --rows $ROWS
        done
        cp "$REPORT" Report.json
        mkdir -p MigrationCases/one
        cp Rows.json MigrationCases/one/before.json
        cp Rows.json MigrationCases/one/after.json
        echo "model: ../../Shop.xcdatamodeld
        from: V1" > MigrationCases/one/case.yml
        momtool lock Shop.xcdatamodeld
        momtool lock Sources/Shop
        momtool compile Shop.xcdatamodeld -o Shop.app
        cp -R Shop.app/Shop.momd Old.momd
        cp -R Shop.xcdatamodeld New.xcdatamodeld
        for side in Base Ours Theirs; do
            mkdir $side && cp Shop.xcdatamodeld/V1.xcdatamodel/contents $side/
        done
        mkdir Merged
        echo "- add: attribute Book.rating
          with: {attributeType: Double}" > edits.yml
        momtool cloudkit schema Shop.xcdatamodeld > production.ckdb
        cp production.ckdb development.ckdb
        echo "reason=Can't find model for source store, code 134130" > crash.log
        echo Shop.sqlite > stores.txt
        """#
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
