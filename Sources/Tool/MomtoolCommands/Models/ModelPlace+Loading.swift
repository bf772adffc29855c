import ArgumentParser
import Diagnostics
import Essentials
import ModelChecking
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel

extension ModelPlace {
    enum Basis {
        /// Named or current versions, or the writer of a store: why others cannot be read is a warning.
        case chosenVersions
        /// All versions, unless the place names one: why one cannot be read is an error, and
        /// ``ModelBundle/requireAllVersions()`` ends the command.
        case allVersions
    }

    /// Reads the versions; warnings are printed, errors end the command.
    ///
    /// Gaps may be allowed, of Swift sources alone; `isReported` says whether unreadable versions are reported later,
    /// `isLocked` refuses what a plan does not lead to, `isWritten` sources that are not Swift.
    func load(
        allowingGaps hasGaps: Bool = false,
        ofSwiftAlone isOfSwift: Bool = false,
        restingOn basis: Basis = .chosenVersions,
        reportingVersions isReported: Bool = false,
        toLock isLocked: Bool = false,
        toWrite isWritten: Bool = false
    ) throws -> ModelBundle {
        let read = try readUsable().leavingOutReach
        var bundle = isLocked ? read : read.leavingOutApp
        if isReported, !bundle.value.versions.isEmpty {
            let faults = Set(bundle.value.unreadableVersions.flatMap(\.diagnostics).map(\.message))
            bundle.diagnostics.removeAll { faults.contains($0.message) }
        }
        let isSwift = bundle.value.swift != nil
        guard bundle.isReadableInParts, hasGaps, isSwift || !isOfSwift else {
            let usable = bundle.forHashes
            usable.show(restingOn: basis)
            return try sound(usable)
        }
        let isRefused = isLocked && bundle.diagnostics.contains { $0.gradedAsPlan != $0 }
        if isRefused { bundle.diagnostics = bundle.diagnostics.map(\.gradedAsPlan) }
        bundle.show(restingOn: basis)
        let isFaulty = bundle.diagnostics.contains {
            $0.rule == "swift-syntax" && $0.severity == .error
        }
        if isFaulty, isLocked || isWritten {
            let line = "\(path): nothing was written: correct the sources that are not Swift"
            throw CommandFailure(.badData, [line.onOneLine])
        }
        if isRefused {
            let line = "\(path): nothing was locked: correct the plan, or what opens its stores"
            throw CommandFailure(.refused, [line.onOneLine])
        }
        return bundle.value
    }

    /// Finds why stores of older versions do not reach the current one, or lose what is not named, as `lint` does.
    func harmsOfRoutes(comparedWith lock: String?) throws(MomtoolError) -> [Finding] {
        var linter = Linter(lock: lock)
        linter.swift = swift
        return try linter.result(for: self).harmsOfRoutes
    }
}

extension Diagnosed {
    /// Leaves out remarks on how the sources are arranged, a risk at the next edit, which `check` and `lint` report.
    var leavingOutReach: Diagnosed {
        var result = self
        result.diagnostics.removeAll { $0.rule == "frozen-version-reaches-live-type" }
        return result
    }

    /// Leaves out such remarks; what keeps the app from starting is a note where the versions are read for something else.
    var leavingOutApp: Diagnosed {
        var result = leavingOutReach
        for index in result.diagnostics.indices
        where Rule.ofStarts.contains(result.diagnostics[index].rule) {
            result.diagnostics[index].severity = .note
        }
        return result
    }
}

/// Prints what was noticed while something was read; errors end the command.
func checked<Value>(_ result: Diagnosed<Value>) throws -> Value {
    Console.show(result.diagnostics)
    return try sound(result)
}

/// Returns what was read; errors, which were printed, end the command.
private func sound<Value>(_ result: Diagnosed<Value>) throws -> Value {
    guard !result.hasErrors else {
        let isMissing = result.diagnostics.contains { $0.rule == .unreadableFile }
        let faults = result.diagnostics.filter { $0.severity == .error }.asNeeded
        throw CommandFailure(isMissing ? .noInput : .badData, faults.map(\.commandWords))
    }
    return result.value
}

extension Diagnosed<ModelBundle> {
    /// Prints remarks: faults of omitted versions are errors if an answer depends on all versions, otherwise warnings,
    /// which an error with the same message replaces.
    fileprivate func show(restingOn basis: ModelPlace.Basis) {
        let faults = Set(
            value.unreadableVersions.flatMap(\.diagnostics).filter { $0.severity == .error }
        )
        let areErrors = basis == .allVersions && value.selectedVersionName == nil
        var (others, warnings): ([Diagnostic], [Diagnostic]) = ([], [])
        for diagnostic in diagnostics {
            let fault = diagnostic.asError
            if !faults.contains(fault) {
                others.append(diagnostic)
            } else if areErrors {
                others.append(fault)
            } else {
                warnings.append(diagnostic)
            }
        }
        Console.show(others)
        Console.showLast(warnings)
    }
}

extension ModelBundle {
    /// Ends a command that depends on all versions where one cannot be read, as was printed.
    func requireAllVersions() throws {
        guard unreadableVersions.isEmpty || selectedVersionName != nil else {
            throw CommandFailure(.badData, [])
        }
    }
}

/// Reads a stages file and checks it; faults end the command before a store is touched.
func loadStagesWithFaults(
    _ path: String,
    models: [ModelBundle],
    _ swift: SwiftSettings,
    _ mappingModels: MappingModels = MappingModels()
) throws -> (stages: Stages, keepsFromStarting: Bool) {
    let read = try Stages.read(path, models: models, swift: swift, mappingModels: mappingModels)
        .leavingOutReach
    Console.show(read.diagnostics.map(\.gradedAsPlan))
    return try (sound(read), requireSound(read))
}

/// Checks stages that were read, and returns whether they are a plan that keeps an app from starting.
func requireSound(_ read: Diagnosed<Stages>) throws -> Bool {
    try read.requireWhole()
    let findings = read.value.findings()
    Console.show(findings)
    guard findings.allSatisfy({ $0.severity < .error }) else { throw CommandFailure(.refused, []) }
    return read.diagnostics.contains { $0.gradedAsPlan.severity == .error }
}

/// Ends a command with findings where its versions have entities that are not understood, as was printed.
func requireUnderstood(_ versions: ModelVersion...) throws {
    guard versions.allSatisfy(\.entitiesWithGaps.isEmpty) else {
        throw CommandFailure(.findings, [])
    }
}

extension ProjectContents {
    /// The models; bundles without a version are noted and left out where there is another model.
    func usablePlaces(_ swift: SwiftSettings) -> [ModelPlace] {
        let empty = models.filter { path in
            path.hasSuffix(".xcdatamodeld")
                && (try? Files.names(in: path))?.contains { $0.hasSuffix(".xcdatamodel") } == false
        }
        guard empty.count < models.count + swiftFolders.count else { return places(swift) }
        Console.show(
            empty.sorted().map { path in
                let message = "the bundle has no version, so it has no model, and is left out"
                let place = FileLocation(path: path)
                return Diagnostic(.emptyBundle, message, severity: .note, at: place)
            }
        )
        return places(swift).filter { !empty.contains($0.path) }
    }
}

/// Options for what Swift sources leave open, of every command that takes a model.
struct SwiftOptions: ParsableArguments {
    @Option(
        name: .customLong("model-types"),
        help: ArgumentHelp(
            "For Swift sources: the classes of the schema, if code builds its list at run time.",
            valueName: "A,B"
        )
    )
    var modelTypes: String?

    @Option(
        help: ArgumentHelp(
            "For Swift sources: a true #if condition, such as DEBUG; may be repeated.",
            valueName: "name"
        )
    )
    var define: [String] = []

    @Option(
        help: ArgumentHelp(
            "For Swift sources: the platform that os(…) tests for; iOS when left out.",
            valueName: "system"
        )
    )
    var platform: String?

    var settings: SwiftSettings {
        SwiftSettings(
            modelTypes: (modelTypes ?? "").split(separator: ",").map {
                String($0.drop { $0 == " " })
            },
            definitions: Set(define),
            platform: platform
        )
    }
}
