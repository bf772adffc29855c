import ArgumentParser
import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import Reporting
import StoreFormat

/// `momtool inspect`: what a store, or a model, says about itself.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what a store says about itself: metadata, entities, rows, tables.",
        discussion: """
            EXAMPLE
              momtool inspect Shop.sqlite
              momtool inspect Shop.sqlite --sql
            """
    )

    @Argument(help: "The stores.")
    var stores: [String]

    @Flag(help: "Show the statements that made the tables, indexes and triggers.")
    var sql = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        try Commands.run {
            let reports = try stores.map { path in
                let store = try StoreFile(path: path)
                let model = try embeddedModel(of: store)
                Console.show(model?.diagnostics ?? [])
                return StoreReport(
                    try StoreSnapshot(of: store),
                    model: model?.value,
                    includesSQL: sql
                )
            }
            try output.deliver { format in reports.rendered(as: format) }
        }
    }
}
