import ArgumentParser
import CloudKitSchema
import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat

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

    @Argument(help: "The deployed schema, or a model.", completion: .model)
    var old: String

    @Argument(help: "The schema to deploy, or a model.", completion: .model)
    var new: String

    @Option(help: "The mirrored configuration of the models.")
    var configuration: String?

    @Flag(help: "End with status 2 when there is a difference that Production accepts.")
    var exitCode = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<FindingFormats>

    func run() throws {
        let (from, to) = (try side(old), try side(new))
        var renames = SchemaRenames()
        if let old = from.model, let new = to.model {
            renames = SchemaRenames(from: old, to: new)
        }
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
        let version = try bundle.chosenVersion(nil)
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
