import MappingInference
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat

extension [ProgramStep] {
    /// The steps, with those that change only the schema's text grouped where that saves time.
    fileprivate var groupedForSchemaText: [ArraySlice<ProgramStep>] {
        var groups: [ArraySlice<ProgramStep>] = []
        var rest = self[...]
        while !rest.isEmpty {
            let count = rest.prefix(while: \.changesSchemaText).count
            groups.append(rest.prefix(count < 32 ? 1 : count))
            rest = rest.dropFirst(count < 32 ? 1 : count)
        }
        return groups
    }
}

/// Carries out steps on an open store inside a transaction, with mappings of any origin.
struct MigrationExecution {
    let connection: SQLiteConnection
    let options: MigrationOptions
    let deadline: ScriptDeadline
    /// Reports how far the run has come; `nil` when nothing listens.
    let reporter: ProgressReporter?
    /// What errors call the step at hand.
    var stage = ""

    init(
        _ connection: SQLiteConnection,
        _ options: MigrationOptions,
        _ reporter: ProgressReporter? = nil
    ) {
        self.connection = connection
        self.options = options
        self.reporter = reporter
        deadline = ScriptDeadline(options.cancellation)
    }

    /// Checks that the store is the one that the steps were built for.
    func begin(at version: ModelVersion) throws(StoreError) {
        // Another process may have migrated the store since the migration was planned.
        let hashes = try StoreMetadata(connection).hashes
        guard hashes == version.hashes else { throw .inUse(path: connection.path) }
    }

    /// Carries out one step; returns what was lost, as agreed.
    ///
    /// With `provesByIndexes`, duplicates under a new constraint are not asked for: the step that makes its index
    /// fails, as sorting the values once is enough.
    func carryOut(
        _ step: StepProgram,
        provesByIndexes: Bool = false
    ) throws(StoreMigrationError) -> [RowFinding] {
        let layout = step.program.layout
        let asked = step.questions.filter { !provesByIndexes || !layout.proves($0.risk) }
        let findings = try rowFindings(of: asked, on: connection)
        let refused = findings.filter { !$0.isAccepted(by: options.acceptsLosses) }
        // Without code, gaps in the written rows are checked together with the rest.
        let isCounted = !step.program.writtenQuestions.isEmpty && step.policyRuns.isEmpty
        guard refused.isEmpty || isCounted && refused.allSatisfy(\.isLoss) else {
            // What an index would have proved is reported with the rest, not after that was agreed to.
            let others = step.questions.filter { !asked.contains($0) }
            let known = options.isRehearsal ? findings : refused
            throw .rows(known + (try rowFindings(of: others, on: connection)))
        }
        do throws(StoreMigrationError) {
            let unread = try rowFindings(of: step.codeQuestions, on: connection)
            // Rows of no entity go before anything is counted.
            let removals = step.removals(of: findings)
            _ = try run(removals, of: step)
            let code = try carryOut(step.program, of: step)
                .losses(of: unread, step.sourceLayout.graph)
            let lacking = try rowFindings(of: step.program.writtenQuestions, on: connection)
            return try accepted(findings + code + lacking)
        } catch {
            guard case .rows = error else { throw refused.isEmpty ? error : .rows(refused) }
            throw error
        }
    }

    /// Refuses losses that nobody allowed; otherwise returns the findings.
    func accepted(_ findings: [RowFinding]) throws(StoreMigrationError) -> [RowFinding] {
        let refused = findings.filter { !$0.isAccepted(by: options.acceptsLosses) }
        guard refused.isEmpty else { throw .rows(refused) }
        return findings
    }

    /// Carries out one of several steps, and names the rows with duplicate values; returns what was lost, as agreed.
    func carryOutNamingDuplicates(_ step: StepProgram) throws(StoreMigrationError) -> [RowFinding] {
        do throws(StoreMigrationError) { return try carryOut(step) } catch {
            guard case .store(let cause) = error, cause.isUniquenessViolation else { throw error }
            let duplicates = try storeErrors(
                StageInspection.duplicates(after: step, on: connection)
            )
            throw duplicates.isEmpty ? error : .stageFindings(stage: stage, duplicates)
        }
    }

    /// Runs the steps of a program, and its checks before and after them; returns what the code of policies did.
    ///
    /// `step` has what its policies need, and is `nil` for a program without any.
    @discardableResult
    func carryOut(
        _ program: MigrationProgram,
        of step: StepProgram? = nil
    ) throws(StoreMigrationError) -> CodeOutcome {
        let before = try storeErrors(
            program.checks.map { check throws(StoreError) in try check.foundBefore(on: connection) }
        )
        reporter?.expect(changes: program.steps.count { $0.effort == .rows })
        let (written, code) = try run(program.steps, of: step)
        for (check, expected) in zip(program.checks, before) {
            let found = try storeErrors(check.foundAfter(writing: written, on: connection))
            guard found == expected else {
                throw .checkFailed(
                    path: connection.path,
                    subject: check.subject,
                    expected: text(expected),
                    found: text(found)
                )
            }
        }
        return code
    }

    /// Runs the steps of a program; returns the row counts of completely written tables, and what code did.
    private func run(
        _ steps: [ProgramStep],
        of step: StepProgram?
    ) throws(StoreMigrationError) -> (written: [String: Int], code: CodeOutcome) {
        var policies: MapPolicies?
        var code = CodeOutcome()
        var written: [String: Int] = [:]
        for group in steps.groupedForSchemaText {
            let isDone = group.count > 1 ? try storeErrors(changeSchemaAtOnce(group)) : false
            for (place, part) in zip(group.indices, group) {
                reporter?.begin(
                    MigrationProgress.Change(step: part, index: place, count: steps.count)
                )
                guard !isDone else { continue }
                defer { if part.effort == .rows { reporter?.endChange(passing: part.passedTable) } }
                guard case .policies(_, let phase) = part.action, let step else {
                    try storeErrors(connection.execute(part.sql))
                    if let table = part.writtenTable { written[table] = connection.changeCount }
                    continue
                }
                if policies == nil { policies = try storeErrors(MapPolicies(step, in: self)) }
                if let policies { try run(phase, of: step, policies, &code) }
            }
        }
        return (written, code)
    }

    /// Writes the steps' changes to the text of the schema; `false` where SQLite's own statements must do it.
    private func changeSchemaAtOnce(_ steps: ArraySlice<ProgramStep>) throws(StoreError) -> Bool {
        var text = try SchemaText(connection)
        let isKnown = steps.allSatisfy { step in
            switch step.action {
            case .schema(.addColumn(let column, let table)):
                text.add(column: column.definition, to: table)
            case .schema(.renameTable(let old, let new)): text.rename(table: old, to: new)
            default: false
            }
        }
        if isKnown { try text.write(to: connection) }
        return isKnown
    }

    private func run(
        _ phase: ProgramStep.PolicyPhase,
        of step: StepProgram,
        _ policies: MapPolicies,
        _ code: inout CodeOutcome
    ) throws(StoreMigrationError) {
        switch phase {
        case .instances: try policies.createInstances()
        case .relationships:
            try policies.createRelationships()
            code = CodeOutcome(
                leftOut: try policies.leftOut(of: step),
                moved: try policies.movedLinks(of: step),
                reads: policies.reads
            )
            try storeErrors(policies.end())
        }
    }

    /// Removes temporary tables, which another step would find in its way.
    func removeTemporaryTables() throws(StoreError) {
        let sql = "SELECT name FROM temp.sqlite_master WHERE type = 'table' ORDER BY rowid"
        for name in try connection.rows(sql).compactMap(\.first?.text) {
            try connection.execute("DROP TABLE temp.\(quotedIdentifier(name))")
        }
    }

    /// Ends the run at the version of its last step: all checks are made here, once.
    func end(at step: StepProgram, isNewFile: Bool) throws(StoreMigrationError) {
        try storeErrors(writeVersion(of: step))
        try requireWholeLayout(of: step)
        if options.checksWholeFile {
            try checkFile("integrity_check", on: connection)
        } else if isNewFile {
            try checkFile("quick_check", on: connection)
        }
    }

    private func text(_ rows: [[SQLiteValue]]) -> String {
        rows.map { row in
            row.map { $0.integer.map(String.init) ?? "?" }.joined(separator: ", ")
        }
        .joined(separator: "; ")
    }
}

/// What the code of policies did with its objects.
struct CodeOutcome {
    /// The objects of an entity from which it created nothing.
    struct LeftOut {
        var finding: RowFinding
        /// Whether it created nothing from any object of the entity.
        var isWhole: Bool
    }

    var leftOut: [LeftOut] = []
    /// The links that it took from other objects.
    var moved: [RowFinding] = []
    /// What it read; `nil` without code.
    var reads: ReadRecord?

    /// The losses: the objects that it left out, and the `unread` values and links, except of objects already reported.
    func losses(of unread: [RowFinding], _ graph: ModelGraph) -> [RowFinding] {
        guard let reads else { return [] }
        let gone = Set(leftOut.filter(\.isWhole).map(\.finding.risk.sourceEntity))
        return leftOut.map(\.finding) + moved
            + unread.filter { finding in
                let risk = finding.risk
                guard let source = risk.source else { return false }
                let path = ([source.name] + risk.elementPath).joined(separator: ".")
                var ends = [(entity: risk.sourceEntity, path: path)]
                if let inverse = graph.inverse(of: source) {
                    ends.append((inverse.entity, inverse.name))
                }
                return !ends.allSatisfy { gone.contains($0.entity) }
                    && !ends.contains { reads.mayHold($0.path, of: $0.entity, graph) }
            }
    }
}

/// Has SQLite check a file: `quick_check` covers its pages and rows; `integrity_check` also compares indexes with their
/// tables, which takes ten times as long.
func checkFile(_ check: String, on connection: SQLiteConnection) throws(StoreMigrationError) {
    let faults = try storeErrors(
        connection.rows("PRAGMA \(check)(10)").compactMap(\.first?.text)
            .flatMap { $0.split(separator: "\n").map(String.init) }
    )
    guard faults == ["ok"] else {
        throw .checkFailed(
            path: connection.path,
            subject: "SQLite's integrity check",
            expected: "ok",
            found: faults.joined(separator: "; ")
        )
    }
}
