import Diagnostics
import ModelLoading
import Momtool
import ObjectModel

/// A place that a model is read from, as an argument names it; what is wrong with the model is said.
struct ModelArgument {
    private let place: ModelPlace
    /// What is said of Swift sources.
    let swift: SwiftSettings

    init(_ text: String, _ swift: SwiftSettings = SwiftSettings()) {
        place = ModelPlace(text, swift: swift)
        self.swift = swift
    }

    /// Names the model that a git revision has in the place of one on disk.
    init(_ path: String, at revision: String, _ swift: SwiftSettings = SwiftSettings()) {
        place = ModelPlace(path, at: revision, swift: swift)
        self.swift = swift
    }

    /// Names the Swift sources below a folder that holds other models too.
    init(swiftSourcesBelow folder: String, _ swift: SwiftSettings) {
        place = ModelPlace(swiftSourcesBelow: folder, swift: swift)
        self.swift = swift
    }

    /// The path, without the version behind it.
    var path: String { place.path }

    /// Reads the versions; warnings are said, errors end the command.
    ///
    /// A version that cannot be read, or in which an entity is not understood, is left out where others can be.
    ///
    /// - Parameter hasGaps: whether entities that are not understood may be among them.
    /// - Returns: the versions.
    /// - Throws: `CommandFailure` for errors, `MomtoolError` when there is no such model.
    func load(allowingGaps hasGaps: Bool = false) throws -> ModelBundle {
        let bundle = try place.readUsable()
        guard bundle.isReadableInParts else {
            // A Swift file that is not read may be missing from any version.
            let isSwift = bundle.value.swift != nil
            return try checked(isSwift ? bundle : bundle.withoutUnreadableVersions)
        }
        guard hasGaps else {
            let isSwift = bundle.value.swift != nil
            return try checked(
                isSwift ? bundle.withoutVersionsWithGaps : bundle.withoutUnreadableVersions
            )
        }
        Console.show(bundle.diagnostics)
        return bundle.value
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

/// Ends a command with findings where entities of the versions that it worked on are not understood, as was said.
func requireUnderstood(_ versions: ModelVersion...) throws {
    guard versions.allSatisfy(\.entitiesWithGaps.isEmpty) else {
        throw CommandFailure(.findings, [])
    }
}
