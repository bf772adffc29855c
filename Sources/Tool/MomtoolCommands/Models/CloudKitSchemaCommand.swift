import ArgumentParser
import CloudKitSchema
import Diagnostics
import Essentials
import ModelLoading
import Momtool
import ObjectModel

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

    @Argument(help: "The model.", completion: .model)
    var model: String

    @Option(help: MirroringHelp.version, completion: .version) var version: String?

    @Option(help: MirroringHelp.configuration) var configuration: String?

    @Flag(help: "Leave out the fields for large values and for sharing.")
    var minimal = false

    @Option(name: .shortAndLong, help: "The file; standard output when left out.")
    var output: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
        let bundle = try ModelPlace(model, swift: swift.settings)
            .load(allowingGaps: true, ofSwiftAlone: true)
        let version = try bundle.chosenVersion(version)
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
