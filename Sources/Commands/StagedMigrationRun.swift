public import ArgumentParser
import Dispatch
import Diagnostics
import Foundation
public import MigrationPlanning
import ModelHashing
import ObjectModel
import ModelLoading
import StoreFormat
import StoreMigration

extension StageSemantics: ExpressibleByArgument {}

extension MigrateCommand {
    /// Carries out a stages file.
    func runStages(
        _ stagesFile: String,
        bundles: [ModelBundle],
        _ targets: [MigrationTarget]
    ) throws {
        let stages = try StagesArgument(stagesFile, bundles: bundles)
        try stages.check()
        var checksum: String?
        if let to {
            guard let version = stages.manager.version(to) else {
                let message = "no stage lists the version '\(to)'"
                throw CommandFailure(.refused, stagesFile, message, "unknown-version")
            }
            checksum = version.checksum
        }
        let (manager, works, end) = (stages.manager, stages.works, checksum)
        try forEach(targets) { target in
            let file = try StoreFile(path: target.store)
            noteMissingChecksum(in: try file.metadata(), of: target.store)
            let migration = try StagedStoreMigration(
                of: file,
                by: manager,
                works: works,
                to: end,
                semantics: semantics
            )
            return try finish(migration, on: file, target)
        }
    }

    /// Migrates in steps, because the direct one is refused, and returns what to say.
    func run(
        _ route: MigrationRoute,
        on file: StoreFile,
        _ target: MigrationTarget
    ) throws -> String {
        if !quiet { route.notes.forEach(Console.complain) }
        let losses = route.detourLosses
        guard losses.isEmpty || allowDataLoss else {
            let message =
                "on the way \(route.title) is dropped: \(losses.joined(separator: ", ")); "
                + "agree with --allow-data-loss, or move the values in a custom stage"
            throw CommandFailure(.refused, target.store, message, "rows-at-stake")
        }
        let migration = try StagedStoreMigration(of: file, by: route.manager, semantics: .stepwise)
        return try finish(migration, on: file, target)
    }

    /// Carries the steps out and returns what to say.
    private func finish(
        _ migration: StagedStoreMigration,
        on file: StoreFile,
        _ target: MigrationTarget
    ) throws -> String {
        try perform(migration, on: file, target)
        let last = migration.plan.steps.last?.version.name
        let steps = migration.plan.steps.count
        return "\(target.store): " + (last.map { "\(steps) steps to \($0)" } ?? "nothing to do")
            + " in \(target.output ?? "place")"
    }

    private func perform(
        _ migration: StagedStoreMigration,
        on file: StoreFile,
        _ target: MigrationTarget
    ) throws {
        let cancellation = MigrationCancellation()
        Interruptions.shared.begin(cancellation)
        defer { Interruptions.shared.end(cancellation) }
        var options = StagedRunOptions(cancellation: cancellation)
        options.run.acceptsLosses = allowDataLoss
        options.run.checksWholeFile = check
        options.timeout = timeout.map { .seconds($0) }
        options.stagesFolder = keepStages
        let display = StageDisplay(of: stores.count == 1 ? nil : target.store)
        if !quiet { options.progress = display.show }
        defer { if !quiet { display.clear() } }
        if let output = target.output {
            try migration.run(from: file, toNewFile: output, options: options)
        } else {
            let (path, backup) = (target.store, target.backup)
            try migration.runInPlace(path: path, backup: backup, options: options)
        }
    }
}

/// Turns Ctrl-C and a request to end into a cancellation of every migration by stages that is under way.
///
/// Several stores may be migrated at once: signals mean again what they meant before when the last one has ended.
private final class Interruptions: Sendable {
    private struct State {
        var running: [MigrationCancellation] = []
        var sources: [any DispatchSourceSignal] = []
        var hasHappened = false
    }

    static let shared = Interruptions()
    private static let signals = [SIGINT, SIGTERM]
    private let state = Locked(State())

    func begin(_ cancellation: MigrationCancellation) {
        state.withLock { state in
            // What was to come behind an interrupted migration shall not begin.
            if state.hasHappened { cancellation.cancel() }
            state.running.append(cancellation)
            guard state.sources.isEmpty else { return }
            state.sources = Self.signals.map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { Self.shared.interrupt() }
                source.resume()
                return source
            }
        }
    }

    func end(_ cancellation: MigrationCancellation) {
        state.withLock { state in
            state.running.removeAll { $0 === cancellation }
            guard state.running.isEmpty else { return }
            for source in state.sources { source.cancel() }
            state.sources = []
            for number in Self.signals { signal(number, SIG_DFL) }
        }
    }

    private func interrupt() {
        state.withLock { state in
            state.hasHappened = true
            for cancellation in state.running { cancellation.cancel() }
        }
    }
}

/// Says that Core Data's stages do not take a store whose metadata name no version.
func noteMissingChecksum(in metadata: StoreMetadata, of store: String) {
    guard metadata.checksum == nil else { return }
    let place = SourceLocation(path: store)
    Console.complain(StageFinding.storeWithoutChecksum.diagnostic(at: place).description)
}

/// Says in words what a list of stages does to a store, by both semantics where they differ.
func stagedPlanText(
    _ manager: StagedMigrationManager,
    from checksum: String,
    to target: String
) -> (text: String, isPossible: Bool) {
    func lines(_ semantics: StageSemantics) -> (lines: [String], isPossible: Bool) {
        do throws(StagedPlanError) {
            let plan = try manager.plan(from: checksum, to: target, semantics: semantics)
            return (plan.steps.map { line($0, manager) }, true)
        } catch {
            return (["error: \(error)"], false)
        }
    }
    let (apple, stepwise) = (lines(.apple), lines(.stepwise))
    if apple.lines == stepwise.lines {
        let text = apple.lines.isEmpty ? ["nothing to do"] : apple.lines
        return (text.joined(separator: "\n"), apple.isPossible)
    }
    let parts =
        ["as Core Data does it (--semantics apple)"] + apple.lines.map { "  " + $0 }
        + ["through every version (--semantics stepwise)"] + stepwise.lines.map { "  " + $0 }
    return (parts.joined(separator: "\n"), apple.isPossible || stepwise.isPossible)
}

private func line(_ step: StagedStep, _ manager: StagedMigrationManager) -> String {
    switch step {
    case .migrate(let plan, let stage):
        let title = stage.map { "\(manager.stages[$0].title): " } ?? ""
        return "\(title)lightweight \(plan.source.name) → \(plan.destination.name)"
    case .map(let plan, let stage):
        return "\(manager.stages[stage].title): map \(plan.source.name) → "
            + plan.destination.name
    case .willMigrate(let version, let stage):
        return "\(manager.stages[stage].title): willMigrate at \(version.name)"
    case .didMigrate(let version, let stage):
        return "\(manager.stages[stage].title): didMigrate at \(version.name)"
    }
}
