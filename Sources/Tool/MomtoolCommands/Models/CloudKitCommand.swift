import ArgumentParser
import CloudKitSchema
import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel
import SettingsFiles
import StoreFormat

struct CloudKitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloudkit",
        abstract: "Compare models with CloudKit schemas, and generate schemas from models.",
        discussion: """
            A schema is the .ckdb text file that the CloudKit console and cktool export.

            EXAMPLE
              momtool cloudkit check Shop.xcdatamodeld production.ckdb
              momtool cloudkit schema Shop.xcdatamodeld > development.ckdb
              momtool cloudkit diff production.ckdb development.ckdb
            """,
        subcommands: [
            CloudKitCheckCommand.self, CloudKitSchemaCommand.self, CloudKitDiffCommand.self,
        ]
    )
}

struct CloudKitSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the CloudKit schema that a model needs, in the form of an export.",
        discussion: """
            The schema contains everything that mirroring may ever write, with the indexes
            that Development creates. It does not contain the record types for users,
            shares and the app itself. Import it if nothing is deployed yet, or copy from
            it what momtool cloudkit check reports as missing. Parts that no published
            schema confirms are reported. Parts of Swift sources that momtool does not
            understand are listed and left out, and the command ends with status 1.

            EXAMPLE
              momtool cloudkit schema Shop.xcdatamodeld > development.ckdb
              momtool cloudkit schema Shop.xcdatamodeld --configuration Cloud \\
                --output development.ckdb
            """
    )

    @Argument(help: "The model.", completion: .model) var model: String

    @Option(help: MirroringHelp.version, completion: .version) var version: String?

    @Option(help: MirroringHelp.configuration) var configuration: String?

    @Flag(help: "Leave out the fields for large values and for sharing.") var minimal = false

    @Option(name: .shortAndLong, help: "The file; standard output when left out.")
    var output: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
        let bundle = try ModelPlace(model, swift: swift.settings)
            .load(allowingGaps: true, ofSwiftAlone: true)
        let version = try bundle.chosenVersion(version).mirrored(bundle.mirroredByApp)
        let prediction = predictSchema(
            of: version.model,
            mirroring: try version.mirroredEntities(of: configuration)
        )
        let place = try outputPlaces(of: [output], sparing: InputFiles([model]))[0]
        Console.show(prediction.diagnostics)
        guard !prediction.diagnostics.contains(where: { $0.severity == .error }) else {
            throw CommandFailure(.refused, [])
        }
        let text = prediction.schema(minimal ? .minimal : .full).text
        if let place {
            try write(Data(text.utf8), to: place)
        } else {
            // The text ends with an empty line, as an export does.
            Console.print(String(text.dropLast()), as: .verbatim)
        }
        guard bundle.swift != nil else { return }
        try requireUnderstood(version)
    }
}

/// `momtool cloudkit diff`: whether Production would accept a schema.
struct CloudKitDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Check whether CloudKit's Production would accept a new schema.",
        discussion: """
            Each may be a schema or a model; a model represents everything that mirroring
            may write. Changes that Production refuses are errors, and the command then
            ends with status 1. Changes that it accepts, and changes to indexes, are
            notes; roles and grants are not compared. Parts of Swift sources that momtool
            does not understand are listed and not compared, and the command ends with
            status 1.

            EXAMPLE
              momtool cloudkit diff production.ckdb development.ckdb
              momtool cloudkit diff Shop.xcdatamodeld#V2 Shop.xcdatamodeld#V3
            """
    )

    @Argument(help: "The deployed schema, or a model.", completion: .model) var old: String

    @Argument(help: "The schema to deploy, or a model.", completion: .model) var new: String

    @Option(help: "The mirrored configuration of the models.") var configuration: String?

    @Flag(help: "End with status 2 when there is a difference that Production accepts.")
    var exitCode = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<FindingFormats>

    func run() throws {
        let (from, to) = (try side(old), try side(new))
        var renames = SchemaRenames()
        if let old = from.model, let new = to.model { renames = SchemaRenames(from: old, to: new) }
        var unknown = from.unknown
        unknown.formUnion(to.unknown)
        let diagnostics = diff(from: from.schema, to: to.schema).filter { !unknown.explain($0) }
            .map { $0.diagnostic(path: new, renames: renames) }
        var report = FindingReport(
            command: "cloudkit diff",
            subject: new,
            diagnostics: diagnostics
        )
        report.extent = to.schema.recordTypes.count.counted("record type")
        try output.deliver(sparing: InputFiles([old, new]), report.rendered)
        guard report.count(.error) == 0, from.isUnderstood, to.isUnderstood else {
            throw CommandFailure(.findings, [])
        }
        guard diagnostics.isEmpty || !exitCode else { throw CommandFailure(.differences, []) }
    }

    private struct Side {
        var schema: RecordSchema
        var model: ManagedObjectModel?
        var unknown = UnknownParts()
        var isUnderstood = true
    }

    private func side(_ path: String) throws -> Side {
        guard try !isSchema(path) else { return Side(schema: try readSchemaFile(path)) }
        let bundle = try ModelPlace(path, swift: swift.settings)
            .load(allowingGaps: true, ofSwiftAlone: true)
        let version = try bundle.chosenVersion(nil).mirrored(bundle.mirroredByApp)
        let mirrored = try version.mirroredEntities(of: configuration)
        let prediction = predictSchema(of: version.model, mirroring: mirrored)
        Console.show(prediction.diagnostics)
        guard !prediction.diagnostics.contains(where: { $0.severity == .error }) else {
            throw CommandFailure(.refused, [])
        }
        let entities = version.model.entities.filter { mirrored.contains($0.name) }
        return Side(
            schema: prediction.schema(),
            model: version.model,
            unknown: prediction.unknown,
            isUnderstood: entities.allSatisfy(\.gaps.isEmpty)
        )
    }

    /// Whether to read a file as a schema: it is not a model, a Swift source or a store.
    private func isSchema(_ path: String) throws -> Bool {
        guard FileIdentity(of: path)?.isFolder == false, !path.hasSuffix(".swift"),
            ModelFileKind(at: path) == nil
        else { return false }
        return !isDatabase(path)
    }
}

struct CloudKitCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a CloudKit schema has all that a model needs.",
        discussion: """
            An error is something that makes a save fail in Production. Missing fields for
            large values and for sharing are warnings, because CloudKit only creates them
            when they are first used. Indexes are not checked. The lint rules for models
            used with CloudKit are checked too. Parts of Swift sources that momtool does
            not understand are listed, and not checked.

            EXAMPLE
              momtool cloudkit check Shop.xcdatamodeld production.ckdb
              momtool cloudkit check Shop.xcdatamodeld#V3 production.ckdb \\
                --sharing --fail-on warning
            """
    )

    @Argument(help: "The model.", completion: .model) var model: String

    @Argument(help: "The schema exported from Production.", completion: .file(extensions: ["ckdb"]))
    var schema: String

    @Option(help: MirroringHelp.version, completion: .version) var version: String?

    @Option(help: MirroringHelp.configuration) var configuration: String?

    @Flag(help: "The app shares records: also require what sharing needs.") var sharing = false

    @Option(
        help:
            "The lowest severity that makes the command end with status 1: note, warning or error."
    )
    var failOn: Severity = .error

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<FindingFormats>

    func run() throws {
        let bundle = try ModelPlace(model, swift: swift.settings)
            .load(allowingGaps: true, ofSwiftAlone: true)
        let version = try bundle.chosenVersion(version).mirrored(bundle.mirroredByApp)
        let mirrored = try version.mirroredEntities(of: configuration)
        let text = try readSchemaFile(schema)
        var prediction = predictSchema(of: version.model, mirroring: mirrored)
        // The rule about types is checked with those of the model.
        prediction.diagnostics.removeAll { $0.rule == .unsupportedProperty }
        let own = prediction.diagnostics
        let found = checkSchema(text, path: schema, against: prediction, isShared: sharing)
        let findings = checkForCloudKit(
            version,
            isMirrored: mirrored.contains,
            reported: own + found,
            options: try settings(nil, for: bundle.path).check
        )
        var report = FindingReport(
            command: "cloudkit check",
            subject: schema,
            findings: findings
        )
        report.failOn = failOn
        report.extent =
            version.model.entities.count { mirrored.contains($0.name) }.counted(
                "mirrored entity"
            )
        let inputs = InputFiles([model, schema])
        try output.deliver(sparing: inputs, report.rendered)
        guard findings.allSatisfy({ $0.diagnostic.severity < failOn }) else {
            throw CommandFailure(.findings, [])
        }
        // A check of nothing is not a success.
        guard version.model.entities.contains(where: \.gaps.isEmpty) else {
            return try requireUnderstood(version)
        }
    }
}

/// The helps of the options that say which part of a model is mirrored.
enum MirroringHelp {
    static let version: ArgumentHelp = "The version; the current one when left out."
    static let configuration: ArgumentHelp =
        "The mirrored configuration; when left out, those that the model or the app's code mirrors, or all entities."
}

extension ModelVersion {
    func mirroredEntities(of configuration: String?) throws -> MirroredEntities {
        guard let mirrored = MirroredEntities(of: model, configuration: configuration) else {
            let names = model.configurations.map { "'\($0.name)'" }
            let list = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
            let message = "the model has no configuration '\(configuration ?? "")'; \(list)"
            throw CommandFailure(.refused, path, message, "unknown-configuration")
        }
        return mirrored
    }
}

func readSchemaFile(_ path: String) throws -> RecordSchema {
    if FileIdentity(of: path)?.isFolder == true {
        let kind = InputKind(at: path).map { "this is \($0.rawValue)" } ?? "this is a folder"
        let message = "\(kind); name the model first, then a schema (.ckdb)"
        throw CommandFailure(.usage, path, message, "malformed-cloudkit-schema")
    }
    let read = readSchema(try readText(path, limit: 64 << 20), path: path)
    Console.show(read.diagnostics)
    guard !read.hasErrors else { throw CommandFailure(.badData, []) }
    return read.value
}
