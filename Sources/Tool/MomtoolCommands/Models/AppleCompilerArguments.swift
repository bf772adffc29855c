import Diagnostics
import ModelCompiling

/// The arguments of `momc` and `mapc`, as build systems pass them.
///
/// Options have one dash or two, values follow after a space or `=`. `-XD_MOMC_NO_WARNINGS` and its like are the
/// spellings of old Xcodes (CompiledModels, "Bundles").
struct AppleCompilerArguments {
    struct Fault: Error { var message: String }

    private(set) var paths: [String] = []
    private(set) var module: String?
    private(set) var depfile: String?
    /// For a mapping model: the old model, where its own path does not lead there; ours, not Apple's.
    private(set) var sourceModel: String?
    private(set) var destinationModel: String?
    private(set) var silenced: Set<RuleID> = []
    private(set) var silencesWarnings = false
    private(set) var isDryRun = false
    private(set) var generatesClasses = false
    private(set) var asksForHelp = false
    /// Whether the deployment target is older than the first system with fetch indexes.
    private(set) var targetsSystemsWithoutFetchIndexes = false

    init(_ arguments: [String]) throws(Fault) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                paths.append(argument)
                continue
            }
            if argument == "--" {
                paths += rest
                break
            }
            let (name, attached) = Self.normalized(argument)
            if Self.isValued(name) {
                guard let value = attached ?? rest.popFirst() else {
                    throw Fault(message: "\(argument) needs a value")
                }
                try take(name, value)
            } else if attached != "NO" {
                try take(name, of: argument)
            }
        }
    }

    /// Normalizes the spelling of an option: without dashes, in lowercase.
    private static func normalized(_ argument: String) -> (name: String, value: String?) {
        let text = argument.drop { $0 == "-" }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        var name = String(parts[0])
        for prefix in ["XD_MOMC_", "XD_MAPC_", "MOMC_", "MAPC_"] where name.hasPrefix(prefix) {
            name = name.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
            break
        }
        return (name, parts.count > 1 ? String(parts[1]) : nil)
    }

    private static func isValued(_ name: String) -> Bool {
        [
            "sdkroot", "module", "swift-version", "action", "depfile", "platforms", "source-model",
            "destination-model",
        ].contains(name)
            || name.hasSuffix("deployment-target") || name.hasSuffix("target-version")
    }

    private mutating func take(_ name: String, _ value: String) throws(Fault) {
        switch name {
        case "module": module = value
        case "depfile": depfile = value
        case "source-model": sourceModel = value
        case "destination-model": destinationModel = value
        case "action":
            guard value == "compile" || value == "generate" else {
                throw Fault(message: "there is no action '\(value)'; use compile or generate")
            }
            generatesClasses = value == "generate"
        case "sdkroot", "swift-version", "platforms": break
        default:
            if Self.isBeforeFetchIndexes(platform: name, version: value) {
                targetsSystemsWithoutFetchIndexes = true
            }
        }
    }

    private mutating func take(_ name: String, of argument: String) throws(Fault) {
        switch name {
        case "no-warnings", "mapc-no-warnings": silencesWarnings = true
        case "no-inverse-relationship-warnings": silenced.insert(.missingInverse)
        case "no-max-property-count-warnings": silenced.insert(.tooManyProperties)
        case "no-delete-rule-warnings": silenced.insert(.noActionDeleteRule)
        case "suppress-inverse-transient-error": silenced.insert(.transientInverse)
        case "dry-run": isDryRun = true
        case "help", "h": asksForHelp = true
        default: throw Fault(message: "unknown option '\(argument)'")
        }
    }

    /// Fetch indexes came with iOS 11, tvOS 11, watchOS 4 and macOS 10.13.
    private static func isBeforeFetchIndexes(platform: String, version: String) -> Bool {
        let numbers = version.split(separator: ".").map { Int($0) ?? .max }
        guard let major = numbers.first else { return false }
        let minor = numbers.count > 1 ? numbers[1] : 0
        func isPlatform(_ names: String...) -> Bool { names.contains(where: platform.hasPrefix) }
        if isPlatform("iphone", "ios", "ipad", "appletv", "tvos") { return major < 11 }
        if isPlatform("watch") { return major < 4 }
        // The old spelling of the Mac names no platform.
        if isPlatform("macos", "target-version") { return (major, minor) < (10, 13) }
        return false
    }
}
