import ArgumentParser
import Essentials
import FileSystem

/// The option `-o` of a command whose output has one form alone.
struct TextOutput: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file; standard output when left out.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    /// Writes a text.
    ///
    /// - Parameter text: the text, without a line end behind its last line.
    /// - Throws: `CommandFailure` for a file that cannot be written.
    func deliver(_ text: String) throws {
        guard let place = try outputPlaces(of: [output], sparing: InputFiles([]))[0] else {
            return Console.say(text, isForPeople: false)
        }
        try write(Data((text + "\n").utf8), to: place)
    }
}
