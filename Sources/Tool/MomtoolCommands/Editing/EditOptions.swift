import ArgumentParser
import MomtoolReporting

/// Holds no group, as debug builds of the parser look at a group in a group sixteen times.
struct EditOptions: ParsableArguments {
    @Argument(help: "The model.", completion: .model)
    var model: String

    @Flag(help: "Print what would change as a unified diff, and write nothing.")
    var dryRun = false

    @Flag(
        help: """
            Show what the step means for stores in full, as 'momtool plan' does.
            """
    )
    var plan = false

    @Flag(help: "Make a new version first, as 'momtool model new-version' does, and edit that.")
    var newVersion = false

    @Flag(help: "Write what Xcode only warns about, such as an inverse that leads elsewhere.")
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

extension Truth: CustomStringConvertible {
    var description: String { rawValue }
}
