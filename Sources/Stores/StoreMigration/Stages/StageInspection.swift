import Diagnostics
import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

/// What was wrong with the rows of a store before a stage, so that only what is new counts against the stage.
///
/// Only tables that the stage writes are checked: each right before it is written for the first time, and all of them
/// when the stage is over.
final class StageInspection {
    private let connection: SQLiteConnection
    private let verification: RowVerification
    private var tables: Set<String> = []
    private var emptied: Set<String> = []
    private var counts = FindingCounts()
    private let layout: StoreLayout
    /// The links that another object may displace, and those of them that were kept before the write.
    private let links: [MovedLinks]
    private var keptLinks: [Int] = []
    private let looksAtLinksAlone: Bool

    init(
        _ connection: SQLiteConnection,
        _ model: ManagedObjectModel,
        _ layout: StoreLayout,
        ofLinksAlone looksAtLinksAlone: Bool = false
    ) {
        (self.connection, self.looksAtLinksAlone) = (connection, looksAtLinksAlone)
        self.layout = layout
        verification = RowVerification(of: model, layout)
        links = MovedLinks.all(in: layout, ModelGraph(model))
    }

    /// Checks tables that are about to be written, with these columns; `emptied` are those that lose rows to which
    /// others may refer.
    func willWrite(
        _ written: Set<String>,
        _ columns: [String: Set<String>],
        emptied: Set<String>
    ) throws(StoreError) {
        for index in links.indices
        where links[index].isWritten(columns) && !keptLinks.contains(index) {
            try connection.execute(links[index].keeping)
            keptLinks.append(index)
        }
        guard !looksAtLinksAlone else { return }
        let new = (written.subtracting(tables), emptied.subtracting(self.emptied))
        guard !new.0.isEmpty || !new.1.isEmpty else { return }
        let known = (tables, self.emptied)
        for table in layout.tables where new.1.contains(table.name) {
            try connection.execute(
                "CREATE TEMP TABLE \(quotedIdentifier(Self.former(table))) AS "
                    + "SELECT Z_PK, Z_ENT FROM \(quotedIdentifier(table.name))"
            )
        }
        tables.formUnion(written)
        self.emptied.formUnion(emptied)
        let all = try verification.findings(in: tables, emptied: self.emptied, on: connection)
        // What was checked before has been written since: its first count stays.
        let before = try verification.findings(in: known.0, emptied: known.1, on: connection)
        counts.add(FindingCounts(all), beyond: FindingCounts(before))
    }

    /// The temporary table of the objects that a table had before the stage removed any.
    private static func former(_ table: EntityTable) -> String { "momtool_former_\(table.name)" }

    /// Returns what the stage deleted, and the links that it took from others.
    func lost() throws(StoreMigrationError) -> [RowFinding] {
        var findings = try rowFindings(of: keptLinks.map { links[$0].question }, on: connection)
        try storeErrors { () throws(StoreError) in
            for index in keptLinks { try connection.execute(links[index].removal) }
        }
        for table in layout.tables where emptied.contains(table.name) {
            let name = quotedIdentifier(table.name)
            let questions = layout.numbers(ofHierarchy: table.rootEntity).map { number in
                RowQuestion(
                    RowRisk(.objectsLeftOut(by: .stage), of: layout.entities[number - 1].name),
                    RowQuestion.CountedRows(
                        table: Self.former(table),
                        entity: number,
                        condition: "s.Z_PK NOT IN (SELECT Z_PK FROM \(name))"
                    )
                )
            }
            findings += try rowFindings(of: questions, on: connection)
            try storeErrors { () throws(StoreError) in
                let former = quotedIdentifier(Self.former(table))
                try connection.execute("DROP TABLE temp.\(former)")
            }
        }
        return findings
    }

    /// Refuses what a stage made worse, by `verify`'s rules.
    func check(stage: String) throws(StoreMigrationError) {
        let errors = try storeErrors(
            verification.findings(in: tables, emptied: emptied, on: connection)
        )
        try Self.refuse(errors, beyond: counts, stage)
    }

    /// Counts what is wrong with the rows that a step by a map starts from.
    static func counts(
        before step: StepProgram,
        on connection: SQLiteConnection
    ) throws(StoreError) -> FindingCounts {
        let inspected = step.inspected.before
        return FindingCounts(
            try RowVerification(of: step.source.model, step.sourceLayout)
                .findings(in: inspected.tables, emptied: inspected.emptied, on: connection)
        )
    }

    /// Refuses what a step by a map made worse, comparing each property with the sources of its values.
    static func check(
        _ step: StepProgram,
        against before: FindingCounts,
        on connection: SQLiteConnection,
        stage: String
    ) throws(StoreMigrationError) {
        let inspected = step.inspected.after
        let errors = try storeErrors(
            RowVerification(of: step.destination.model, step.program.layout)
                .findings(in: inspected.tables, emptied: inspected.emptied, on: connection)
        )
        try refuse(errors, beyond: before.carried(by: step), stage)
    }

    /// Finds the rows with duplicate values when a unique index of a step could not be made.
    static func duplicates(
        after step: StepProgram,
        on connection: SQLiteConnection
    ) throws(StoreError) -> [Diagnostic] {
        let layout = step.program.layout
        return try RowVerification(of: step.destination.model, layout)
            .findings(in: layout.tableNames, emptied: [], on: connection)
            .filter { $0.rule == .duplicateValue }
    }

    private static func refuse(
        _ errors: [Diagnostic],
        beyond before: FindingCounts,
        _ stage: String
    ) throws(StoreMigrationError) {
        let worse = before.exceeded(by: errors)
        guard worse.isEmpty else { throw .stageFindings(stage: stage, worse) }
    }
}
