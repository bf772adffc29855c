import ArgumentParser

/// The options of every command that edits a version: one group, as debug builds of the parser visit each five times, and a
/// nested one sixteen times.
struct EditOptions: ReportTargets {
    @Argument(help: "The model.", completion: .model)
    var model: String

    @Flag(help: "Print what would change as a unified diff, and write nothing.")
    var dryRun = false

    @Flag(
        help: """
            Show in full what the step means for stores, as 'momtool plan' does.
            """
    )
    var plan = false

    @Flag(help: "First add a new version, as 'momtool model new-version' does, and edit that.")
    var newVersion = false

    @Flag(help: "Write even what Xcode warns about, such as an inverse that leads elsewhere.")
    var force = false

    @Option(help: NamedMappingModels.help) var mappingModels: [String] = []
    @Option(help: OutputOptions<TextFormats>.formatHelp)
    var format: [OutputRequest<TextFormats>] = []
    @Option(help: TerminalOptions.colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: TerminalOptions.quietHelp) var quiet = false

    func validate() throws { expectReports(color, quiet) }
}

enum Truth: String, ExpressibleByArgument, CaseIterable {
    case yes, no

    init?(argument: String) {
        switch argument.lowercased() {
        case "yes", "true", "1": self = .yes
        case "no", "false", "0": self = .no
        default: return nil
        }
    }
}

extension Truth: CustomStringConvertible { var description: String { rawValue } }
