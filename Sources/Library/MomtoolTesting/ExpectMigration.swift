// Swift Testing is part of the toolchain, but not of its static libraries: programs linked with those do without.
#if canImport(Testing)

    public import MigrationPlanning
    import MigrationTesting
    public import Momtool
    import SettingsFiles
    public import Testing

    /// Expects that rows of an old version become the given rows of a new one; for Swift Testing.
    ///
    /// ```swift
    /// @Test func `names are kept`() throws {
    ///     try expectMigration(
    ///         of: "Shop.xcdatamodeld", from: "V1", to: "V2",
    ///         rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
    ///         gives: #"{"Person": [{"@id": "p1", "fullName": "Ada"}]}"#
    ///     )
    /// }
    /// ```
    /// A stage in Swift is tested with the code that the app hands to `Migrator`:
    ///
    /// ```swift
    /// @Test func `titles are in capitals`() throws {
    ///     let shout = StageHandlers(didMigrate: { store in
    ///         for book in try store.objects("Book") {
    ///             let title = try book.value("title").text ?? ""
    ///             try store.update("Book", book.id, ["title": .text(title.uppercased())])
    ///         }
    ///     })
    ///     try expectMigration(
    ///         of: "Shop.xcdatamodeld", from: "V1", stages: "Stages.yml", handlers: ["Shout": shout],
    ///         rows: #"{"Book": [{"@id": "p1", "title": "Emma"}]}"#,
    ///         gives: #"{"Book": [{"@id": "p1", "title": "EMMA"}]}"#
    ///     )
    /// }
    /// ```
    ///
    /// Objects are compared by their values and links, regardless of their keys. Each difference is a separate issue at the
    /// caller's line, in a person's words: `Person "Ada": employer is missing, expected Company "Engines"`.
    ///
    /// - Parameters:
    ///   - model: the path of the model; relative to the working directory.
    ///   - from: the version of the rows.
    ///   - to: the version to migrate to; `nil` for the model's current one.
    ///   - stages: the path of a stages file; `nil` for those of `.momtool.yml`, or none.
    ///   - handlers: Swift code for custom stages, by their labels, as `Migrator` takes it.
    ///   - policies: Swift code for the migration policies that mapping models name, as `Migrator` takes it.
    ///   - rows: the rows at the old version, such as `momtool export` writes them.
    ///   - expected: the rows at the new version, and no others.
    ///   - mappingModels: paths of mapping models, or of folders with them; the one for the step is used.
    ///   - declaredPolicies: other policies, as under `policies:` in a `case.yml`: `delete`, `copy`, or the path of a
    ///     map.
    ///   - allowsDataLoss: what may be lost: `true` for all, or names such as `["Notice", "Book.notes"]`.
    ///   - fillsValues: whether mandatory attributes that the rows leave out get values.
    ///   - sourceLocation: where issues are recorded.
    /// - Returns: whether all is as expected.
    /// - Throws: `MomtoolError` when there is no such model.
    @discardableResult
    public func expectMigration(
        of model: String,
        from: String,
        to: String? = nil,
        stages: String? = nil,
        handlers: [String: StageHandlers] = [:],
        policies: [String: any EntityMigrationPolicy] = [:],
        rows: String,
        gives expected: String,
        mappingModels: [String] = [],
        declaredPolicies: [String: String] = [:],
        allowsDataLoss: LossAgreement = false,
        fillsValues: Bool = false,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws(MomtoolError) -> Bool {
        let differences = try migrationDifferences(
            of: model,
            from: from,
            to: to,
            stages: stages,
            rows: rows,
            gives: expected,
            mappingModels: mappingModels,
            policies: declaredPolicies,
            code: MigrationCase.Code(handlers: handlers, policies: policies),
            allowsDataLoss: allowsDataLoss,
            fillsValues: fillsValues
        )
        return record(differences, sourceLocation)
    }

    /// Expects that rows of an old version become, among others, the given rows of a new one; for Swift Testing.
    ///
    /// Other objects, attributes and relationships do not count. The rest is as where all rows are given.
    ///
    /// ```swift
    /// @Test func `names are kept, whatever else there is`() throws {
    ///     try expectMigration(
    ///         of: "Shop.xcdatamodeld", from: "V1", to: "V2",
    ///         rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
    ///         contains: #"{"Person": [{"@id": "p1", "fullName": "Ada"}]}"#
    ///     )
    /// }
    /// ```
    @discardableResult
    public func expectMigration(
        of model: String,
        from: String,
        to: String? = nil,
        stages: String? = nil,
        handlers: [String: StageHandlers] = [:],
        policies: [String: any EntityMigrationPolicy] = [:],
        rows: String,
        contains part: String,
        mappingModels: [String] = [],
        declaredPolicies: [String: String] = [:],
        allowsDataLoss: LossAgreement = false,
        fillsValues: Bool = false,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws(MomtoolError) -> Bool {
        let differences = try migrationDifferences(
            of: model,
            from: from,
            to: to,
            stages: stages,
            rows: rows,
            gives: part,
            expectation: .contains,
            mappingModels: mappingModels,
            policies: declaredPolicies,
            code: MigrationCase.Code(handlers: handlers, policies: policies),
            allowsDataLoss: allowsDataLoss,
            fillsValues: fillsValues
        )
        return record(differences, sourceLocation)
    }

    /// Expects that Core Data refuses the migration of rows; for Swift Testing.
    ///
    /// A question that only momtool asks, about a loss that Core Data would not report, is not a refusal by Core Data:
    /// that is an issue, unless `message`, a part of the expected message, names the question. `code` is Core Data's error
    /// code; `nil` is any. What `allowsDataLoss` names is not a reason to refuse. The rest is as in `expectMigration`.
    ///
    /// ```swift
    /// @Test func `two people of one name stand in the way`() throws {
    ///     try expectRefusal(
    ///         of: "Shop.xcdatamodeld", from: "V1",
    ///         rows: #"{"Person": [{"@id": "p1", "name": "Ada"}, {"@id": "p2", "name": "Ada"}]}"#,
    ///         code: 134110
    ///     )
    /// }
    /// ```
    @discardableResult
    public func expectRefusal(
        of model: String,
        from: String,
        to: String? = nil,
        stages: String? = nil,
        handlers: [String: StageHandlers] = [:],
        policies: [String: any EntityMigrationPolicy] = [:],
        rows: String,
        code: Int? = nil,
        message: String? = nil,
        mappingModels: [String] = [],
        declaredPolicies: [String: String] = [:],
        allowsDataLoss: LossAgreement = false,
        fillsValues: Bool = false,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws(MomtoolError) -> Bool {
        let differences = try migrationDifferences(
            of: model,
            from: from,
            to: to,
            stages: stages,
            rows: rows,
            gives: nil,
            expectation: .refused(code: code, message: message),
            mappingModels: mappingModels,
            policies: declaredPolicies,
            code: MigrationCase.Code(handlers: handlers, policies: policies),
            allowsDataLoss: allowsDataLoss,
            fillsValues: fillsValues
        )
        return record(differences, sourceLocation)
    }

    func record(_ differences: [String], _ place: Testing.SourceLocation) -> Bool {
        for difference in differences {
            Issue.record(Comment(rawValue: difference), sourceLocation: place)
        }
        return differences.isEmpty
    }

#endif
