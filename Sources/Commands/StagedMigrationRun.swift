public import ArgumentParser
import Dispatch
import Diagnostics
import Essentials
package import MigrationPlanning
import ObjectModel
import ModelLoading
import Momtool
import StoreFormat
import StoreMigration

extension StageSemantics: ExpressibleByArgument {}

extension MigrateCommand {
    /// Carries out a stages file.
    func runStages(
        _ stagesFile: String,
        bundles: [ModelBundle],
        _ targets: [MigrationTarget],
        _ agreement: LossAgreement
    ) throws {
        let stages = try loadStages(
            stagesFile,
            models: bundles,
            swift.settings,
            mappings.read(for: model.last)
        )
        guard stages.closures.isEmpty else {
            let message =
                "nothing is migrated: the effect of custom stages must be given in a stages file"
            throw CommandFailure(.refused, stagesFile, message, .customStageNotRun)
        }
        let end = try to.map(stages.checksum) ?? stages.lastChecksum
        try forEach(targets) { target in
            let file = try StoreFile(path: target.store)
            noteMissingChecksum(in: try file.metadata(), of: target.store)
            let migration = try StagedStoreMigration(
                of: file,
                by: stages.manager.namingJoinTables(by: joins.joinTable),
                works: stages.works,
                to: end,
                semantics: semantics
            )
            let way = MigrationWay.staged(migration)
            let named = try way.namedLosses(in: stages.models)
            return try take(way, on: file, target, agreement.union(named))
        }
    }

    /// Carries steps out, which Ctrl-C cancels, and shows how far they have come.
    func runStaged(
        _ way: MigrationWay,
        on file: StoreFile,
        _ target: MigrationTarget,
        _ options: StagedRunOptions
    ) throws -> [RowFinding] {
        let cancellation = MigrationCancellation()
        Interruptions.shared.begin(cancellation)
        defer { Interruptions.shared.end(cancellation) }
        var options = options
        options.cancellation = cancellation
        options.timeout = timeout.map { .seconds($0) }
        options.stagesFolder = keepStages
        let display = StageDisplay(of: stores.count == 1 ? nil : target.store)
        if !quiet { options.progress = display.show }
        defer { if !quiet { display.clear() } }
        return try way.run(from: file, to: target, options: options)
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
