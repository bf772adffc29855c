import ArgumentParser
import Diagnostics
import MappingInference
import ModelLoading
import ObjectModel
import Reporting
import StoreFormat
import StoreMigration

/// `momtool plan`: what a migration would do.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what a migration would do: mapping, tables, rows at stake, statements.",
        discussion: """
            EXAMPLE
              momtool plan Shop.xcdatamodeld --from V1 --to V3
              momtool plan Shop.xcdatamodeld --store Shop.sqlite --sql
            """
    )

    @Argument(help: "The model; further ones may hold the version of the store.")
    var models: [String]

    @Option(help: "The old version; that of the store when there is one.")
    var from: String?

    @Option(help: "The new version; the current one when left out.")
    var to: String?

    @Option(help: "A store: its tables and rows take part in the plan.")
    var store: String?

    @Flag(help: "Show the statements; needs --store.")
    var sql = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if store == nil, from == nil { throw ValidationError("name --from or --store") }
        if store == nil, sql { throw ValidationError("--sql needs --store") }
    }

    func run() throws {
        try Commands.run {
            let bundles = try models.map { try ModelArgument($0).load() }
            guard let store else {
                try planWithoutStore(bundles)
                return
            }
            let file = try StoreFile(path: store)
            let ends = try MigrationEnds(of: file, bundles: bundles, to: to, mayGoBack: true)
            let migration = try StoreMigration(
                of: file,
                from: ends.source.model,
                to: ends.destination.model
            )
            var report = MigrationReport(
                from: ends.source.name,
                to: ends.destination.name,
                mapping: migration.mapping
            )
            report.add(
                store: store,
                program: migration.program,
                findings: try migration.findings(in: file),
                showsSQL: sql
            )
            try output.deliver(report.rendered)
        }
    }

    private func planWithoutStore(_ bundles: [ModelBundle]) throws {
        let destination = try bundles[bundles.count - 1].chosenVersion(to)
        let source = try bundles[0].chosenVersion(from)
        let mapping = inferMapping(from: source.model, to: destination.model)
        let report = MigrationReport(from: source.name, to: destination.name, mapping: mapping)
        try output.deliver(report.rendered)
        guard mapping.isInferable else {
            throw CommandFailure(StoreMigrationError.notInferable(mapping.refusals))
        }
    }
}
