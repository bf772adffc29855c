import ArgumentParser
import Diagnostics
import Foundation
import StagesFiles

/// `momtool generate`: Swift source of a stages file.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write the Swift source that performs a stages file with Core Data.",
        discussion: """
            Checksums are filled in. Handlers are stubs that quote the SQL; what they do is to be written by hand.

            EXAMPLE
              momtool generate --stages Stages.yml -o Sources/App/Migration.swift
            """
    )

    @Option(help: "The stages file.")
    var stages: String

    @Option(help: "The model; repeat it for further ones. That of the stages file when left out.")
    var model: [String] = []

    @Option(name: .shortAndLong, help: "The Swift file; standard output when left out.")
    var output: String?

    func run() throws {
        try Commands.run {
            let bundles = try model.map { try ModelArgument($0).load() }
            let argument = try StagesArgument(stages, bundles: bundles)
            try argument.check()
            let source = swiftSource(of: argument.manager, scripts: try argument.scripts())
            guard let output else {
                Console.say(source)
                return
            }
            do {
                try Data((source + "\n").utf8).write(to: URL(fileURLWithPath: output))
            } catch {
                let message = "the file cannot be written: \(error)"
                throw CommandFailure(.cannotCreate, output, message, "unwritable-file")
            }
        }
    }
}
