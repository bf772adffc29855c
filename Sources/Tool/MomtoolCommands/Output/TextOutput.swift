import ArgumentParser
import Essentials
import Momtool

/// The option `-o` of a command whose output has only one format.
struct TextOutput: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file; standard output when left out.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Option(help: TerminalOptions.colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: TerminalOptions.quietHelp) var quiet = false

    func validate() throws { (Console.color, Console.isQuiet) = (color, quiet) }

    /// Writes a text without a final line break; the form is for printing.
    func deliver(_ text: String, as form: PrintedForm) throws {
        guard let place = try outputPlaces(of: [output], sparing: InputFiles([]))[0] else {
            return Console.print(text, as: form)
        }
        try write(Data((text + "\n").utf8), to: place)
    }
}
