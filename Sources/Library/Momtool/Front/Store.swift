public import Diagnostics
import Essentials
import ModelHashing
public import ObjectModel
import RowExchange
import SQLiteAccess
package import StoreFormat
import StoreMigration

/// A store of Core Data or SwiftData in SQLite; it is only read, unless a method says otherwise.
///
/// ```swift
/// let store = try Store("Shop.sqlite")
/// let version = try store.version(in: Model("Shop.xcdatamodeld"))
/// for finding in try store.verify() { print(finding) }
/// ```
///
/// A value holds the metadata of the moment when it was made. Each method opens the file and closes it, so that values
/// may be passed between tasks, and never keep a file open.
///
/// - Warning: In a process that has the same store open through Core Data, opening it here ends that writer's locks, as
///   POSIX has it.
///
/// ## Topics
///
/// ### Opening and creating
/// - ``init(_:)``
/// - ``create(_:of:version:rows:following:)``
///
/// ### Metadata
/// - ``path``
/// - ``identifier``
/// - ``versionChecksum``
/// - ``versionIdentifiers``
/// - ``entityVersionHashesByName``
/// - ``version(in:)``
public struct Store: Sendable, Hashable {
    /// The path of the store's main file.
    public let path: String
    /// The store's UUID (`NSStoreUUID`).
    public let identifier: String
    /// Apple's version hash of each entity, by name, from the metadata.
    public let entityVersionHashesByName: [String: VersionHash]
    /// The identifiers of the model that the store was made with.
    public let versionIdentifiers: [String]

    /// Opens a store and reads its metadata.
    ///
    /// Throws if the main file does not exist, or is not a store, damaged or in use.
    public init(_ path: String) throws(MomtoolError) {
        let metadata = try asked { try StoreFile(path: path).metadata() }
        self.path = path
        identifier = metadata.uuid
        entityVersionHashesByName = metadata.hashes.entities
        versionIdentifiers = metadata.versionIdentifiers
    }

    /// Apple's checksum of the model that the store was made with, in base64.
    public var versionChecksum: String { ModelHashes(entities: entityVersionHashesByName).checksum }

    /// Finds the version that wrote the store; `nil` when none of the model's versions did.
    ///
    /// A version that is not fully understood is never found, as its hashes are not known.
    public func version(in model: Model) throws(MomtoolError) -> ModelVersion? {
        let file = try open()
        let versions = model.versions.filter(\.isWhole)
        let writer = try asked { try StoreWriter(of: file, among: versions) }
        return writer.map { versions[$0.place] }
    }

    /// Verifies the file, its layout and its rows against a model.
    ///
    /// Without a model, the one in the store is used. Returns what is wrong, with its rows. Throws when the store
    /// cannot be read, or no model of it is known.
    public func verify(
        against model: Model? = nil,
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> [Diagnostic] {
        let (file, content) = try reading(by: model)
        let (relay, cancellation) = (ProgressRelay(progress), MigrationCancellation.current)
        var isCancelled: Bool { cancellation?.isCancelled == true }
        let report = relay.counting("verify")
        do throws(StoreError) {
            let findings = try StoreFormat.verify(
                file,
                against: content,
                notesJoinTables: true,
                notesContents: true
            ) { done, total in
                report?(done, total)
                if isCancelled { file.connection.interrupt() }
            }
            guard !isCancelled else { throw StoreError.cancelled(path) }
            relay?.finish()
            return findings.map { $0.at(path) }
        } catch { throw isCancelled ? .cancelled("the verification") : MomtoolError(error) }
    }

    /// Creates a store of a version, with rows if given; it appears complete or not at all.
    ///
    /// ```swift
    /// let store = try Store.create("Test.sqlite", of: Model("Shop.xcdatamodeld"), rows: .file("Rows.json"))
    /// ```
    ///
    /// The path must be free; the version is the current one when left out. Rows are as ``Rows`` writes them;
    /// `.clearLinks` leaves out links to rows that are not given, as of ``Rows`` of some entities. Throws for a version
    /// that is not fully understood, and at the first fault of the rows, with its line and column.
    @discardableResult
    public static func create(
        _ path: String,
        of model: Model,
        version name: String? = nil,
        rows: Rows.Input? = nil,
        following advice: [Advice] = []
    ) throws(MomtoolError) -> Store {
        let cancellation = MigrationCancellation.current
        @Sendable func isCancelled() -> Bool { cancellation?.isCancelled == true }
        guard !isCancelled() else { throw .cancelled("the creation") }
        let version = try model.understood().chosenVersion(name)
        try version.requireWhole()
        // SwiftData always keeps history.
        let options = StoreCreationOptions(keepsHistory: model.bundle.swift != nil)
        guard let rows else {
            try asked { try createStore(at: path, model: version.model, options: options) }
            return try Store(path)
        }
        do throws(StoreError) {
            let source = try rows.source()
            source.shallStop = isCancelled
            try createStore(
                at: path,
                model: version.model,
                rows: source,
                options: options,
                clearsLinks: advice.contains(.clearLinks)
            )
        } catch { throw isCancelled() ? .cancelled("the creation") : MomtoolError(error) }
        return try Store(path)
    }

    package func open() throws(MomtoolError) -> StoreFile {
        try asked { try StoreFile(path: path) }
    }

    package func reading(
        by model: Model?
    ) throws(MomtoolError) -> (file: StoreFile, model: ManagedObjectModel) {
        let file = try open()
        return (file, try file.content(by: model))
    }
}

extension StoreFile {
    /// The model to read it with: the named one's version that wrote it, or its current one; otherwise the store's own.
    func content(by model: Model?) throws(MomtoolError) -> ManagedObjectModel {
        if let model { return try model.understood().model(of: self) }
        let embedded = try asked { try embeddedVersion(of: self) }
        guard let own = embedded else {
            let advised = Diagnostic(
                .notAModel,
                "the store has no model",
                at: FileLocation(path: path),
                advice: [.nameModel]
            )
            throw MomtoolError(.noInput, saying: [advised])
        }
        guard !own.hasErrors else { throw MomtoolError(.badData, saying: own.diagnostics) }
        return own.value.model
    }
}

extension Store: CustomStringConvertible {
    /// The path, the identifier and the number of entities, on one line.
    public var description: String {
        "\(path): store \(identifier), \(entityVersionHashesByName.count.counted("entity", "entities"))"
            .onOneLine
    }
}
