import ArgumentParser
import Diagnostics
import Essentials
import ModelCompiling
import ModelLoading
import ObjectModel

/// Apple's two compilers, which the command replaces when it is started by their names, as through a link.
enum AppleCompiler: String {
    case momc, mapc

    var usage: String {
        switch self {
        case .momc:
            """
            momc [options] SOURCE.xcdatamodeld OUT.momd | FOLDER
            momc [options] SOURCE.xcdatamodel OUT.mom | FOLDER
            momc [options] --action generate SOURCE FOLDER

              --module NAME                       completes class names with a leading dot
              --PLATFORM-deployment-target N      the oldest system that must read the result
              --no-warnings                       no warnings at all
              --no-inverse-relationship-warnings  no warnings about inverses
              --no-max-property-count-warnings
              --no-delete-rule-warnings
              --suppress-inverse-transient-error
              --action generate                   classes of the current version
              --dry-run                           check, and say what would be generated
              --depfile FILE                      a makefile of what it depends on
              --sdkroot PATH, --swift-version N   accepted; nothing depends on them
            """
        case .mapc:
            """
            mapc [options] SOURCE.xcmappingmodel OUT.cdm | FOLDER

              --source-model PATH, --destination-model PATH
                                      the models, if its own paths do not exist
              --no-warnings, --dry-run, --depfile FILE, --sdkroot PATH,
              --PLATFORM-deployment-target N
            """
        }
    }

    /// Does what Apple's compiler does with its arguments; ends with status 1 on errors, as it does.
    func run(_ arguments: [String]) throws {
        do {
            let arguments = try AppleCompilerArguments(arguments)
            guard !arguments.asksForHelp else {
                return Console.print("USAGE: " + usage, as: .lines)
            }
            guard arguments.paths.count == 2 else {
                throw AppleCompilerArguments.Fault(
                    message: "name a source and a destination; --help shows how"
                )
            }
            try compile(arguments)
        } catch let fault as AppleCompilerArguments.Fault {
            Console.complain("\(rawValue): error: \(fault.message)")
            throw ExitCode(1)
        } catch let code as ExitCode { throw code } catch {
            CommandFailure(error).messages.forEach(Console.complain(text:))
            throw ExitCode(1)
        }
    }

    private func compile(_ arguments: AppleCompilerArguments) throws {
        var compilation = try Compilation(of: arguments.paths[0])
        guard (compilation.kind == .mapping) == (self == .mapc),
            self == .momc || !arguments.generatesClasses
        else {
            let message = self == .mapc ? "mapc compiles mapping models" : "momc compiles models"
            throw CommandFailure(.usage, arguments.paths[0], message, .notAModel)
        }
        compilation.options = CompilerOptions(
            moduleName: arguments.module,
            targetsSystemsWithoutFetchIndexes: arguments.targetsSystemsWithoutFetchIndexes
        )
        compilation.mappedModels = (arguments.sourceModel, arguments.destinationModel)
        let compiled =
            try arguments.generatesClasses
            ? generateClasses(ofModelAt: compilation.input, into: arguments.paths[1])
            : compilation.compile(to: arguments.paths[1])
        let lines =
            compiled.diagnostics.map { ($0.severity, $0.appleLine) }
            + compiled.value.versions.flatMap { version in
                compilerFindings(in: version.model).filter { !arguments.silenced.contains($0.rule) }
                    .map { ($0.severity, $0.at(version.path).appleLine) }
            }
        for (severity, line) in lines where severity == .error || !arguments.silencesWarnings {
            Console.complain(text: line)
        }
        guard !lines.contains(where: { $0.0 == .error }) else { throw ExitCode(1) }
        if arguments.isDryRun {
            // Build systems ask in this form for what they have to compile.
            guard arguments.generatesClasses else { return }
            return compiled.value.output.files.forEach { Console.say($0.path) }
        }
        let models = [arguments.sourceModel, arguments.destinationModel].compactMap(\.self)
        try Compilation.write(
            [compiled.value],
            dependenciesTo: arguments.depfile,
            reading: [compilation.input] + models
        )
    }
}

extension String {
    fileprivate var withoutContents: String {
        let file = ["/contents", "/elements"].first { hasSuffix(".xcdatamodel" + $0) }
        return file.map { String(dropLast($0.count)) } ?? self
    }
}

extension Diagnostic {
    /// The diagnostic in the form of Apple's compilers: with the element if there is one, otherwise with the line.
    ///
    /// The number at its end is 0 for anything but a rule about models.
    fileprivate var appleLine: String {
        let place: String
        if let element, let path = location?.path {
            place = "\(path.withoutContents):\(element)"
        } else if let location, location.line == nil {
            place = location.path.withoutContents
        } else {
            place = location?.description ?? "error"
        }
        return "\(place): \(severity.rawValue): \(message) [\(rule.compilerNumber)]"
    }
}

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
