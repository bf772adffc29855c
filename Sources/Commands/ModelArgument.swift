import Diagnostics
import ModelLoading
import Momtool

/// A place that a model is read from, as an argument names it; what is wrong with the model is said.
struct ModelArgument {
    private let place: ModelPlace

    init(_ text: String, _ swift: SwiftSettings = SwiftSettings()) {
        place = ModelPlace(text, swift: swift)
    }

    /// Names the model that a git revision has in the place of one on disk.
    init(_ path: String, at revision: String, _ swift: SwiftSettings = SwiftSettings()) {
        place = ModelPlace(path, at: revision, swift: swift)
    }

    /// The path, without the version behind it.
    var path: String { place.path }

    /// Reads the versions; warnings are said, errors end the command.
    ///
    /// A version that cannot be read is left out where others can be.
    ///
    /// - Parameter hasGaps: whether entities of Swift sources that are not understood may be among them.
    /// - Returns: the versions.
    /// - Throws: `CommandFailure` for errors, `MomtoolError` when there is no such model.
    func load(allowingGaps hasGaps: Bool = false) throws -> ModelBundle {
        let bundle = try place.readUsable()
        guard hasGaps, bundle.isReadableInParts else {
            // Versions of Swift sources rest on each other.
            let isSwift = bundle.value.swift != nil
            return try checked(isSwift ? bundle : bundle.withoutUnreadableVersions)
        }
        Console.show(bundle.diagnostics)
        return bundle.value
    }

    /// Reads the versions with whatever is wrong with them; a version that is named is the only one.
    func loadWithFaults() throws -> Diagnosed<ModelBundle> {
        var bundle = try place.read()
        guard bundle.value.selectedVersionName != nil else { return bundle }
        var chosen = try bundle.value.chosenVersion()
        chosen.isCurrent = true
        bundle.value.selectedVersionName = nil
        bundle.value.versions = [chosen]
        bundle.diagnostics.removeAll {
            !($0.location?.path.hasPrefix(chosen.path + "/") ?? false)
        }
        return bundle
    }
}

/// Says what was noticed while something was read; errors end the command.
func checked<Value>(_ result: Diagnosed<Value>) throws -> Value {
    Console.show(result.diagnostics)
    guard !result.hasErrors else {
        let isMissing = result.diagnostics.contains { $0.rule == .unreadableFile }
        throw CommandFailure(isMissing ? .noInput : .badData, [])
    }
    return result.value
}

/// Reads a stages file and checks it; whatever is wrong with it ends the command before a store is touched.
func loadStages(
    _ path: String,
    models: [ModelBundle],
    _ swift: SwiftSettings,
    _ mappingModels: MappingModels = MappingModels()
) throws -> Stages {
    let stages = try checked(
        Stages.read(path, models: models, swift: swift, mappingModels: mappingModels)
    )
    let findings = stages.findings()
    Console.show(findings)
    guard findings.allSatisfy({ $0.severity < .error }) else { throw CommandFailure(.refused, []) }
    return stages
}

extension ModelBundle {
    /// Returns the version before another.
    func predecessor(of version: ModelVersion) throws -> ModelVersion {
        guard let index = versions.firstIndex(where: { $0.name == version.name }), index > 0
        else {
            let message =
                "'\(version.name)' has no version before it; name two with --from and --to"
            throw CommandFailure(.refused, path, message, "unknown-version")
        }
        return versions[index - 1]
    }
}
