import ArgumentParser
import CloudKitSchema
import Momtool
import SettingsFiles
import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import ObjectModel
import MomtoolReporting

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

    @Argument(help: "The model.", completion: .model)
    var model: String

    @Argument(help: "The schema exported from Production.", completion: .file(extensions: ["ckdb"]))
    var schema: String

    @Option(help: MirroringHelp.version, completion: .version) var version: String?

    @Option(help: MirroringHelp.configuration) var configuration: String?

    @Flag(help: "The app shares records: also require what sharing needs.")
    var sharing = false

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
        let version = try bundle.chosenVersion(version)
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
        "The mirrored configuration; when left out, those marked for CloudKit, or all entities."
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
