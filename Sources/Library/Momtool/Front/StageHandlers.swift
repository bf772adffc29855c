import Diagnostics
import MigrationPlanning
import SettingsFiles
public import StoreMigration

/// Swift code of a custom stage, before its step at the old version and after it at the new one.
///
/// ```swift
/// let split = StageHandlers(didMigrate: { store in
///     for person in try store.objects("Person") {
///         try store.update("Person", person.id, ["givenName": person.value("name")])
///     }
/// })
/// let migrator = try Migrator(model, stages: "Stages.yml", handlers: ["Split names": split])
/// ```
///
/// A stage without a label, such as each one of a `SchemaMigrationPlan`, is named by its versions: `"SchemaV1 →
/// SchemaV2"`. Handlers replace the functions that such a plan gives the stage, which only the app can run.
///
/// They run inside the migration's transaction: an error rolls everything back. A migration runs them once, and so does
/// `Migrator.losses(of:)`, on a temporary copy; `StoreContext.isRehearsal` tells them apart.
public struct StageHandlers: Sendable {
    /// Runs on the store at the old version.
    package var willMigrate: (@Sendable (StoreContext) throws -> Void)?
    /// Runs on the store at the new version.
    package var didMigrate: (@Sendable (StoreContext) throws -> Void)?

    /// Creates handlers.
    public init(
        willMigrate: (@Sendable (StoreContext) throws -> Void)? = nil,
        didMigrate: (@Sendable (StoreContext) throws -> Void)? = nil
    ) { (self.willMigrate, self.didMigrate) = (willMigrate, didMigrate) }
}

extension Stages {
    /// Returns the stages with Swift code in place of their scripts, by the labels of custom stages, or by versions:
    /// `V1 → V2`.
    package func adding(_ handlers: [String: StageHandlers]) throws(MomtoolError) -> Stages {
        var copy = self
        for label in handlers.keys.sorted() {
            let names = manager.stages.map { stage -> String? in
                guard case .custom(let custom) = stage else { return nil }
                return custom.label ?? stage.versions.map(\.name).joined(separator: " → ")
            }
            guard let index = names.firstIndex(of: label), let handler = handlers[label] else {
                let near = suggestion(for: label, among: names.compactMap(\.self))
                let message = "there is no custom stage '\(label)' for the handlers\(near)"
                throw MomtoolError(.usage, file.path, message, "unknown-stage")
            }
            var work = works[index] ?? CustomStageWork()
            if let code = handler.willMigrate { work.willMigrate = .handler(code) }
            if let code = handler.didMigrate { work.didMigrate = .handler(code) }
            copy.works[index] = work
        }
        return copy
    }
}
