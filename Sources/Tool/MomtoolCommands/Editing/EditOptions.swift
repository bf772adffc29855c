import ArgumentParser

/// Contains no group, as debug builds of the parser visit a nested group sixteen times.
struct EditOptions: ParsableArguments {
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
