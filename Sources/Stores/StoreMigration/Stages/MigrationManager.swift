import Diagnostics
public import MigrationPlanning
import SQLiteAccess

/// What a migration policy works with: both versions of the store, and which object came from which.
///
/// Named as Apple's `NSMigrationManager`. Objects are known by their identifiers, which are unique below one root
/// entity. It becomes invalid when the step is over.
public final class MigrationManager {
    /// The store at the old version, which can only be read.
    public let sourceContext: StoreContext
    /// The store at the new version.
    public let destinationContext: StoreContext
    /// What policies keep between calls.
    public var userInfo: [String: any Sendable] = [:]

    private let runs: [PolicyRun]
    private let places: [String: Int]
    private let session: StageSession
    private var statements: [String: Statement] = [:]

    /// `places` gives the index of the table of which object became which, by the name of the mapping.
    init(
        runs: [PolicyRun],
        places: [String: Int],
        sourceContext: StoreContext,
        destinationContext: StoreContext,
        session: StageSession
    ) {
        (self.runs, self.places, self.sourceContext) = (runs, places, sourceContext)
        (self.destinationContext, self.session) = (destinationContext, session)
    }

    /// Makes the object that comes from a source object by the values of a mapping, and associates the two.
    ///
    /// - Returns: the identifier of the new object; `nil` if the mapping has no destination entity, or if it does not
    ///   include the source object.
    /// - Throws: what SQLite refused.
    @discardableResult
    public func createDestinationInstance(
        forSource source: Int64,
        in mapping: StageMap.EntityMap
    ) throws -> Int64? {
        guard let run = runs.first(where: { $0.map.name == mapping.name }),
            let instance = run.program.instanceStatements
        else { return nil }
        guard let key = try rows(instance.key).first?.first else { return nil }
        guard let id = try rows(instance.insertion, [key, .integer(source)]).first?.first?.integer
        else { return nil }
        _ = try rows(instance.counting, [key])
        try associate(source: source, withDestination: id, for: mapping)
        return id
    }

    /// Makes the links of an object as a mapping says; they exist when the links of all its objects are made.
    ///
    /// - Throws: what SQLite refused.
    public func createRelationships(
        forDestination destination: Int64,
        in mapping: StageMap.EntityMap
    ) throws {
        guard let place = places[mapping.name] else { return }
        _ = try rows(
            "INSERT INTO \(PolicyProgram.related(place)) SELECT source, destination FROM "
                + "\(PolicyProgram.objects(place)) WHERE destination = ?",
            [.integer(destination)]
        )
    }

    /// Records that an object came from a source object.
    ///
    /// - Throws: what SQLite refused.
    public func associate(
        source: Int64,
        withDestination destination: Int64,
        for mapping: StageMap.EntityMap
    ) throws {
        guard let place = places[mapping.name] else { return }
        _ = try rows(
            "INSERT INTO \(PolicyProgram.objects(place)) (source, destination) VALUES (?, ?)",
            [.integer(source), .integer(destination)]
        )
    }

    /// Returns the objects that came from source objects by a mapping, in the order of the latter.
    ///
    /// - Throws: ``StoreContextError/unknownMapping(_:help:)`` for the name of no mapping, and what SQLite refused.
    public func destinationInstances(
        forEntityMappingName name: String,
        sourceInstances: [Int64]
    ) throws -> [Int64] {
        try pairs("destination", of: "source", sourceInstances, name)
    }

    /// Returns the source objects that objects came from by a mapping, in the order of the latter.
    ///
    /// - Throws: ``StoreContextError/unknownMapping(_:help:)`` for the name of no mapping, and what SQLite refused.
    public func sourceInstances(
        forEntityMappingName name: String,
        destinationInstances: [Int64]
    ) throws -> [Int64] {
        try pairs("source", of: "destination", destinationInstances, name)
    }

    private func pairs(
        _ side: String,
        of other: String,
        _ objects: [Int64],
        _ mapping: String
    ) throws -> [Int64] {
        guard let place = places[mapping] else {
            let help = suggestion(for: mapping, among: places.keys.sorted())
            throw StoreContextError.unknownMapping(mapping, help: help)
        }
        let sql =
            "SELECT \(side) FROM \(PolicyProgram.objects(place)) WHERE \(other) = ? ORDER BY \(side)"
        return try objects.flatMap { try rows(sql, [.integer($0)]).compactMap(\.first?.integer) }
    }

    /// Invalidates the contexts, even where they are still held.
    func close() {
        statements = [:]
        sourceContext.close()
        destinationContext.close()
    }

    /// Runs a statement of momtool's own.
    private func rows(
        _ sql: String,
        _ arguments: [SQLiteValue] = []
    ) throws(StoreError) -> [[SQLiteValue]] {
        try session.scriptGuard.trusting { () throws(StoreError) in
            let statement: Statement
            if let known = statements[sql] {
                statement = known
            } else {
                statement = try Statement(sql, on: session.connection)
                statements[sql] = statement
            }
            var rows: [[SQLiteValue]] = []
            try statement.run(arguments) { row throws(StoreError) in rows.append(row) }
            return rows
        }
    }
}
