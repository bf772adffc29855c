import ArgumentParser
import CloudKitSchema
import Diagnostics
import Essentials
import ModelLoading
import Momtool
import ObjectModel

/// `momtool cloudkit schema`: the schema that a model needs.
struct CloudKitSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the CloudKit schema that a model needs, in the form of an export.",
        discussion: """
            It contains everything that mirroring may ever write, with the indexes that Development makes. It lacks
            the record types of users, shares and the app itself: import it where nothing is deployed yet, or take
            from it what momtool cloudkit check says is missing. What no published schema has shown is said.

            EXAMPLE
              momtool cloudkit schema Shop.xcdatamodeld > development.ckdb
              momtool cloudkit schema Shop.xcdatamodeld --configuration Cloud --output development.ckdb
            """
    )

    @Argument(help: "The model.", completion: .model)
    var model: String

    @OptionGroup var mirroring: MirroringOptions

    @Flag(help: "Print what first small records make: nothing for large values and for sharing.")
    var minimal = false

    @Option(name: .shortAndLong, help: "The file to write, instead of standard output.")
    var output: String?

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
        try Commands.run {
            let bundle = try ModelArgument(model).load()
            let version = try bundle.chosenVersion(mirroring.version)
            let prediction = predictSchema(
                of: version.model,
                mirroring: try mirroring.entities(of: version)
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
                Console.say(String(text.dropLast()), isForPeople: false)
            }
        }
    }
}
