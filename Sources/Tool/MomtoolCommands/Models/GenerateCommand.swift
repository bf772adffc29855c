import ArgumentParser
package import CodeGeneration
import Diagnostics
import Essentials
import FileSystem
import ModelDiffing
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel
import SettingsFiles

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract:
            "Write the classes of a model, @Model classes, or the Swift code for a stages file.",
        discussion: """
            Writes the classes that Xcode generates for entities marked "Class Definition"
            or "Category/Extension", or with --all a class for every entity. For a stages
            file, writes its versions with their checksums, and empty handlers that quote
            the SQL; write their code by hand.

            With --swiftdata, writes @Model classes. They are read back first to make sure
            that each entity keeps its version hash; whatever SwiftData cannot express is
            reported. --frozen NAME puts the classes into a VersionedSchema, made from a
            model, from Swift sources of any revision, or from a store, and writes nothing
            if a hash differs. --check compares the existing file instead of writing it. A
            file is not replaced if handwritten code would be lost, such as functions:
            the command lists it, and --force replaces it. If momtool does not understand
            an entity of Swift sources completely, its class has the rest; the command ends
            with status 1.

            EXAMPLE
              momtool generate Shop.xcdatamodeld -o Sources/Generated
              momtool generate --swiftdata Shop.xcdatamodeld -o Sources/App/Models.swift
              momtool generate --swiftdata --frozen SchemaV3 --from v3.0:Sources/App \\
                -o Sources/App/SchemaV3.swift
              momtool generate --swiftdata --frozen SchemaV3 --from Shop.sqlite \\
                -o Sources/App/SchemaV3.swift --check
              momtool generate --stages Stages.yml -o Sources/App/Migration.swift
            """
    )

    @Argument(
        help: ArgumentHelp("The model to write classes for.", valueName: "model"),
        completion: .model
    )
    var classesModel: String?

    @Option(help: "The stages file.", completion: .stages) var stages: String?

    @Option(
        help: "The model for a stages file, instead of the one that it names; may be repeated.",
        completion: .model
    )
    var model: [String] = []

    @Option(
        name: .shortAndLong,
        help: "The folder for classes, or the Swift file for stages; standard output when left out."
    )
    var output: String?

    @Option(
        help:
            "The language of the classes, swift or objective-c; the one in the model when left out."
    )
    var language: ClassLanguage?

    @Option(
        help: ArgumentHelp(
            "Write Swift classes as this version of Xcode does; before 26 they have no public imports.",
            valueName: "version"
        )
    )
    var xcodeVersion: XcodeVersion?

    @Flag(help: "Write a class for every entity, not only for marked ones.") var all = false

    @Flag(help: "Write @Model classes for SwiftData, into one file.") var swiftdata = false

    @Option(
        help: ArgumentHelp(
            "Put the @Model classes into a VersionedSchema of this name; their hashes must not change.",
            valueName: "name"
        )
    )
    var frozen: String?

    @Option(
        help: ArgumentHelp(
            "The source of the @Model classes: a model, Swift sources (also REV:PATH), or a store.",
            valueName: "place"
        )
    )
    var from: String?

    @Flag(help: "Write nothing; compare the hashes of the existing file.") var check = false

    @Flag(help: "Replace the file of @Model classes even if handwritten code would be lost.")
    var force = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func validate() throws {
        if swiftdata { return try validateSwiftData() }
        guard frozen == nil, from == nil, !check, !force else {
            throw ValidationError("--frozen, --from, --check and --force go with --swiftdata")
        }
        guard (classesModel == nil) != (stages == nil) else {
            throw ValidationError("name a model for its classes, or a stages file with --stages")
        }
        if classesModel != nil, output == nil {
            throw ValidationError("name a folder for the classes with -o")
        }
        if classesModel != nil, output == "-" {
            throw ValidationError("classes are files in a folder; name one with -o, not -")
        }
        if stages != nil, language != nil || all || xcodeVersion != nil {
            throw ValidationError("--language, --all and --xcode-version are about classes")
        }
        if classesModel != nil, !model.isEmpty {
            throw ValidationError("--model needs --stages")
        }
    }

    private func validateSwiftData() throws {
        guard stages == nil, language == nil, !all, xcodeVersion == nil, model.isEmpty else {
            throw ValidationError(
                "--swiftdata takes --frozen, --from, --check, --force and -o alone"
            )
        }
        guard (classesModel == nil) != (from == nil) else {
            throw ValidationError("name one source of the classes")
        }
        if check, output == nil { throw ValidationError("name the file to check with -o") }
    }

    func run() throws {
        guard let output, output != "-", !check else { return try generate() }
        try inTurn(around: output, generate)
    }

    private func generate() throws {
        if swiftdata { return try writeSwiftData() }
        if let classesModel, let output { try writeClasses(of: classesModel, into: output) }
        if let stages { try writeStages(stages) }
    }

    private func writeClasses(of model: String, into folder: String) throws {
        let generated = try generateClasses(
            ofModelAt: model,
            into: folder,
            language: language,
            selection: all ? .all : .asMarked,
            form: xcodeVersion.map { SwiftClassForm(xcodeVersion: $0.number) } ?? .publicImports,
            swift: swift.settings
        )
        Console.show(generated.diagnostics)
        guard !generated.hasErrors else { throw CommandFailure(shown: generated.diagnostics) }
        let output = generated.value.output
        try OutputFiles.check([output], sparing: InputFiles([model]))
        let hasWritten = try output.write()
        let count = output.files.count
        let state = hasWritten ? "written" : "up to date"
        var work = WorkReport()
        work.lines = ["\(folder): \(state), \(count.counted("file"))"]
        for file in output.files { work.add(file.path, hasWritten ? .written : .unchanged) }
        try report.deliver(work, sparing: [model])
    }

    private func writeStages(_ stages: String) throws {
        let bundles = try model.map { try ModelPlace($0, swift: swift.settings).load() }
        let argument = try loadStagesWithFaults(stages, models: bundles, swift.settings).stages
        guard argument.models.allSatisfy({ $0.swift == nil }) else {
            throw CommandFailure(usage: "--stages is for Core Data; these stages are SwiftData's")
        }
        let source = swiftSource(
            of: argument.manager,
            scripts: try argument.scripts(),
            dropped: argument.droppedReads
        )
        guard let output else {
            Console.print(source, as: .verbatim)
            return
        }
        let files = OutputFiles(
            path: output,
            files: [OutputFile(path: output, bytes: Data((source + "\n").utf8))]
        )
        try OutputFiles.check([files], sparing: InputFiles([stages] + model + argument.paths))
        var work = WorkReport()
        work.add(output, try files.write() ? .written : .unchanged)
        try report.deliver(work, sparing: [stages])
    }
}

extension ClassLanguage: ExpressibleByArgument {}

/// Generates the classes of a model's current version, or of the version in `#V2` after the path.
func generateClasses(
    ofModelAt path: String,
    into folder: String,
    language: ClassLanguage? = nil,
    selection: ClassSelection = .asMarked,
    form: SwiftClassForm = .publicImports,
    swift: SwiftSettings = SwiftSettings()
) throws -> Diagnosed<Compilation.Result> {
    let folder = trimmedPath(folder)
    var bundle = try ModelPlace(path, swift: swift).readChosen()
    if bundle.value.swift != nil, bundle.isReadableInParts {
        // Understood entities get their classes.
        for index in bundle.diagnostics.indices {
            bundle.diagnostics[index].severity = min(bundle.diagnostics[index].severity, .warning)
        }
    }
    guard !bundle.hasErrors else {
        let nothing = OutputFiles(path: folder, files: [])
        return Diagnosed(Compilation.Result(output: nothing, inputs: []), bundle.diagnostics)
    }
    let chosen = try bundle.value.chosenVersion(nil)
    let version = chosen.without(chosen.entitiesWithGaps)
    let place = fileURL(trimmedPath(bundle.value.path))
    let isContents = ["contents", "elements"].contains(place.lastPathComponent)
    let name = (isContents ? place.deletingLastPathComponent() : place)
        .deletingPathExtension().lastPathComponent
    let generated = generatedClasses(
        of: version.model,
        named: name,
        language: language ?? ClassLanguage(of: version.model),
        selection: selection,
        form: form
    )
    let files = generated.value.map { file in
        OutputFile(path: folder + "/" + file.name, bytes: Data(file.text.utf8))
    }
    let result = Compilation.Result(
        output: OutputFiles(path: folder, files: files),
        inputs: [version.path],
        versions: [version]
    )
    return Diagnosed(result, bundle.diagnostics + generated.diagnostics)
}

struct SwiftDataFile {
    /// The version whose hashes the classes must have.
    let version: ModelVersion
    private let bundle: ModelBundle
    private let place: String
    private let schemaName: String?
    private let swift: SwiftSettings

    /// Reads a model, Swift sources or a store, such as `main:Sources/App#SchemaV3`, to write classes from.
    init(from place: String, as schemaName: String?, _ swift: SwiftSettings) throws {
        self.place = place
        // Notes give a version inside another type both names; in the written file it has one of its own.
        let ownName = schemaName.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
        self.schemaName = ownName
        self.swift = swift
        let argument = ModelPlace(place, swift: swift)
        let bundle = try argument.load(allowingGaps: true, toWrite: true)
        let named = [schemaName, ownName].compactMap(\.self)
            .first { bundle.version(named: $0) != nil }
        let version = try bundle.chosenVersion(bundle.selectedVersionName ?? named)
        (self.version, self.bundle) = (version, bundle)
        let gaps = version.model.entities.flatMap(\.gaps)
        guard gaps.isEmpty || schemaName == nil else {
            let faults = version.model.entities.filter { !$0.gaps.isEmpty }.flatMap { entity in
                entity.gaps.map { gap in
                    let message =
                        "--frozen writes whole versions, but momtool does not understand part of "
                        + "'\(entity.name)': \(gap)"
                    let place = entity.source.element ?? FileLocation(path: version.path)
                    return Diagnostic("incomplete-model", message, at: place, element: entity.name)
                }
            }
            throw CommandFailure(.badData, faults.map(\.commandWords))
        }
    }

    func text() -> Diagnosed<String> {
        let frame = SwiftDataFrame(schemaName: schemaName, identifier: identifier, origin: place)
        let shapes = bundle.swift?.shapes[version.name]
        guard let shapes else { return swiftDataClasses(of: version.model, in: frame) }
        return swiftDataClasses(of: version.model, in: frame, shapes: shapes)
    }

    func proof(of text: String, at path: String) throws -> SwiftDataProof {
        try SwiftDataProof(
            of: text,
            at: path,
            named: schemaName,
            gives: version,
            swift,
            settingsFor: bundle.path
        )
    }

    /// The numbers of the version: its own, or those in the name of the schema.
    private var identifier: [Int] {
        let own = (version.model.versionIdentifiers.first ?? "").split(separator: ".")
            .compactMap { Int($0) }
        if own.count == 3 { return own }
        let digits = (schemaName ?? "").split { !$0.isNumber }.compactMap { Int($0) }
        return Array((digits + [0, 0]).prefix(3)).count == 3 && !digits.isEmpty
            ? Array((digits + [0, 0]).prefix(3)) : [1, 0, 0]
    }
}

extension GenerateCommand {
    func writeSwiftData() throws {
        let place = classesModel ?? from ?? ""
        let file = try SwiftDataFile(from: place, as: frozen, swift.settings)
        if check { return try checkSwiftData(file) }
        let written = file.text()
        let name = output ?? "standard output"
        let proof = try file.proof(of: written.value, at: name)
        Console.show(written.diagnostics)
        let explained = Set(
            written.diagnostics.filter { $0.severity == .error }.compactMap { $0.element }
                .map { $0.prefix { $0 != "." } }
        )
        // What has been reported of an entity is not repeated.
        let faults = proof.faults.filter { !explained.contains(($0.element ?? "")[...]) }
        Console.show(proof.doubts + faults)
        let isEqual = proof.fit.opensOneStore
        guard isEqual || frozen == nil else {
            Console.complain(
                "error: nothing is written: the hashes would differ from those of \(place)"
            )
            throw CommandFailure(.refused, [])
        }
        if let output {
            let bytes = Data(written.value.utf8)
            let files = OutputFiles(path: output, files: [OutputFile(path: output, bytes: bytes)])
            try OutputFiles.check([files], sparing: InputFiles([place]))
            if let frozen, output != "-", !force {
                try requireSoleDeclaration(of: frozen, at: output)
            }
            if output != "-", !force { try requireReplaceable(output, byGenerated: written.value) }
            let hasWritten = try files.write()
            let state = hasWritten ? "written" : "up to date"
            var work = WorkReport()
            work.add(
                output,
                hasWritten ? .written : .unchanged,
                "\(output): \(state), \(proof.words)"
            )
            try report.deliver(work, sparing: [place])
        } else {
            Console.print(written.value, as: .verbatim)
            Console.complain("note: \(proof.words)")
        }
        guard isEqual else { throw CommandFailure(.findings, []) }
    }

    private func checkSwiftData(_ file: SwiftDataFile) throws {
        guard let output else { return }
        let proof = try file.proof(of: readText(output, limit: 16 << 20), at: output)
        Console.show(proof.doubts + proof.faults)
        var work = WorkReport()
        work.add(output, .unchanged, "\(output): \(proof.words)")
        try report.deliver(work, sparing: [output])
        guard proof.fit.opensOneStore else { throw CommandFailure(.findings, []) }
    }
}
