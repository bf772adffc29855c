public import Diagnostics
public import MappingInference
public import MigrationPlanning
public import SQLiteAccess
public import StoreFormat

/// Why a store was not migrated; whatever the case, it is as it was.
public enum StoreMigrationError: Error, Sendable, Hashable {
    /// The store cannot be opened, read or written.
    case store(StoreError)
    /// The store lacks tables or columns that its model says it has.
    case unexpectedLayout(path: String, missing: [String])
    /// Core Data would refuse the change, whatever the rows.
    case notInferable([Refusal])
    /// The rows are against it, or would lose something that was not agreed to.
    case rows([RowFinding])
    /// The result is not what it must be.
    case checkFailed(path: String, subject: String, expected: String, found: String)
    /// The list of stages leads nowhere.
    case stages(StagedPlanError)
    /// A script of a stage failed, or wanted more than scripts may; line and column are counted from 1.
    case script(path: String, line: Int, column: Int, reason: String)
    /// The handler of a stage threw an error.
    case handler(stage: String, reason: String)
    /// A stage left the store worse than it was.
    case stageFindings(stage: String, [StoreFinding])
    /// The value expressions of a stage cannot be carried out.
    case map(stage: String, [Diagnostic])
    /// The migration was cancelled, or a script took longer than it may.
    case interrupted(stage: String, isTimeout: Bool)
}

extension StoreMigrationError {
    /// Whether it was the disk, and not the rows, the models or the stages.
    var isOfDisk: Bool {
        if case .store(let error) = self { error.isOfDisk } else { false }
    }
}

extension StoreMigrationError: CustomStringConvertible {
    /// What is wrong; lower case, no final period, a line for each finding.
    public var description: String {
        switch self {
        case .store(let error): error.description
        case .unexpectedLayout(let path, let missing):
            "\(path): not laid out as its model says; missing: \(missing.joined(separator: ", "))"
        case .notInferable(let refusals):
            refusals.map(\.diagnostic.description).joined(separator: "\n")
        case .rows(let findings): findings.map(\.description).joined(separator: "\n")
        case .checkFailed(let path, let subject, let expected, let found):
            "\(path): the result is wrong and was thrown away: \(subject) is \(found), not \(expected)"
        case .stages(let error): error.description
        case .script(let path, let line, let column, let reason):
            "\(path):\(line):\(column): \(reason)"
        case .handler(let stage, let reason): "stage '\(stage)': the handler failed: \(reason)"
        case .stageFindings(let stage, let findings):
            "stage '\(stage)' leaves the store broken:\n"
                + findings.map(\.description).joined(separator: "\n")
        case .map(_, let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
        case .interrupted(let stage, isTimeout: true):
            "stage '\(stage)' took longer than it may; give it more time with --timeout"
        case .interrupted(let stage, isTimeout: false): "cancelled in stage '\(stage)'"
        }
    }
}

/// What the rows of a store say to a risk.
public struct RowFinding: Sendable, Hashable {
    /// The risk that is realized.
    public var risk: RowRisk
    /// How many rows are at stake.
    public var count: Int
    /// The keys of some of them.
    public var examples: [Int64]
}

extension RowFinding: CustomStringConvertible {
    /// The finding as a sentence with Core Data's error code where it fails.
    public var description: String {
        let keys = examples.map(String.init).joined(separator: ", ")
        return "\(count) \(count == 1 ? "row" : "rows") at stake (Z_PK \(keys)): \(reason)"
    }

    /// What is wrong with the rows, and what to do about it.
    private var reason: String {
        switch risk {
        case .mandatoryWithoutDefault(_, let entity, let attribute, let path):
            let name = ([attribute.name] + path).joined(separator: ".")
            return "missing attribute values on mandatory destination attribute, entity=\(entity), "
                + "attribute=\(name) (134110 NSMigrationError); give it a default value or make it optional"
        case .nullInMandatoryAttribute(_, _, _, let entity, let attribute):
            return "missing attribute values on mandatory destination attribute, entity=\(entity), "
                + "attribute=\(attribute.name) (134110 NSMigrationError); give it a default value or fill the NULLs first"
        case .nullInMandatoryRelationship(_, _, let entity, let relationship):
            return "missing values on mandatory destination relationship, entity=\(entity), "
                + "relationship=\(relationship.name) (134110 NSMigrationError); fill the NULLs first"
        case .newUniquenessConstraint(_, let entity, let properties):
            let names = properties.map(\.destination.name).joined(separator: ", ")
            return "constraint violation during attempted migration: \(entity) must be unique by "
                + "\(names) (134110 NSMigrationError); remove the duplicates first"
        case .becomesAbstract(_, let entity):
            return "\(entity) becomes abstract and may have no rows (134110 NSMigrationError); "
                + "move them to a sub-entity first"
        case .toManyBecomesToOne(_, _, let entity, let relationship):
            return
                "\(entity).\(relationship.name) becomes to-one: all links but the first would be "
                + "lost; agree with --allow-data-loss"
        case .sharedDestination(_, _, let entity, let relationship):
            return
                "\(entity).\(relationship.name): each object may belong to one only from now on: all "
                + "links but the first would be lost; agree with --allow-data-loss"
        case .destinationsOutOfReach(_, _, let entity, let relationship, _, let isMandatory):
            return
                "\(entity).\(relationship.name): links to objects that are none of its new destination "
                + (isMandatory
                    ? "would leave a mandatory relationship empty (134110 NSMigrationError); move them first"
                    : "would be lost; agree with --allow-data-loss")
        case .narrowingConversion(_, _, _, let entity, let attribute, _):
            return "values do not fit the new type of \(entity).\(attribute.name); "
                + "agree with --allow-data-loss"
        case .derivationNotComputed(_, let entity, let attribute, let reason):
            return "\(entity).\(attribute.name) stays without a value until Core Data saves the "
                + "object again, because \(reason); agree with --allow-data-loss"
        case .orderLostInManyToMany(_, _, let entity, let relationship):
            return "the order of \(entity).\(relationship.name) would be lost; "
                + "agree with --allow-data-loss"
        }
    }
}

/// Runs code that touches a store and gives its errors this module's type.
func storeErrors<Result>(
    _ body: () throws(StoreError) -> Result
) throws(StoreMigrationError) -> Result {
    do throws(StoreError) {
        return try body()
    } catch {
        throw .store(error)
    }
}
