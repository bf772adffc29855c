import ArgumentParser
package import CodeGeneration
import Diagnostics
import Essentials
import FileSystem
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

    @Option(help: "The stages file.", completion: .stages)
    var stages: String?

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

    @Flag(help: "Write a class for every entity, not only for marked ones.")
    var all = false

    @Flag(help: "Write @Model classes for SwiftData, into one file.")
    var swiftdata = false

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

    @Flag(help: "Write nothing; compare the hashes of the existing file.")
    var check = false

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
            throw ValidationError("--model goes with --stages")
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
