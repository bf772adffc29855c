package import Essentials

/// The JSON Schema of what a command gives with `--format json`.
package struct ReportSchema: Sendable {
    /// Such as `cloudkit check`.
    package let command: String
    package let about: String
    private let shape: JSONValue

    private init(_ command: String, _ about: String, _ shape: JSONValue) {
        (self.command, self.about, self.shape) = (command, about, shape)
    }

    package static let all = ShapeNotation.read(reports).reports.map(ReportSchema.init)

    private static let reports = """
        "accept kit" = work "The kit that was written."
        "accept report" = acceptance "What Core Data did for each prediction."
        "check" = findings "Everything found in a project."
        "cloudkit check" = findings "What a schema lacks."
        "cloudkit diff" = findings "What Production would refuse."
        "compile" = work "What was compiled."
        "config" = settings | findings "The effective settings of a model, or what --test found."
        "create" = work "The created store."
        "decompile" = work "The sources that were written."
        "diff" = difference | rowDifferences
          "The differences between two versions, or between the rows of two stores."
        "doctor" = diagnosis | [diagnosis] "What is wrong with a store, and what to do; a list for several stores."
        "export" = outcomes "The outcome of each store."
        "generate" = work "The sources that were written."
        "hash" = hashes "The version hashes of a model."
        "identify" = identity | [identity] "Which version wrote a store; a list for several stores."
        "init" = work "What was added to a project, and what it had."
        "inspect" = (model | store | unreadable) | [model | store | unreadable]
          "What is in a model or a store; a list for several."
        "lint" = findings "What the rules found."
        "lock" = findings | work "What --check found, or what was locked."
        "migrate" = outcomes "The outcome of each store."
        "model add" = work "What was changed, or would be."
        "model apply" = work "What was changed, or would be."
        "model merge" = work "What was merged, with the conflicts."
        "model move" = work "What was changed, or would be."
        "model new-version" = work "What was changed, or would be."
        "model remove" = work "What was changed, or would be."
        "model rename" = work "What was changed, or would be."
        "model rename-version" = work "What was changed, or would be."
        "model set" = work "What was changed, or would be."
        "model set-current" = work "What was changed, or would be."
        "model undo-version" = work "What was changed, or would be."
        "plan" = plan | [plan] | stagedPlan
          "What a step does; a list for a migration in several steps; both semantics with --stages."
        "repair" = repair | [repair] "What is repaired, and what is not; a list for several stores."
        "rules" = rules | explanation | meaning "The rules; or what one requires, and why, or what another ID means."
        "test" = tests | work "The outcome of each case, or the case that was written."
        "verify" = findings "What is wrong in stores."
        """

    package static func of(_ command: String) -> ReportSchema? {
        all.first { $0.command == command }
    }

    /// The schema as a document of JSON Schema, draft 2020-12.
    ///
    /// A command that fails before it has anything to report gives findings, so that every schema allows them.
    package var document: JSONValue {
        let findings = ShapeNotation.reference("findings")
        var names = Set(["findings"])
        var open = ShapeNotation.references(in: shape).union(names)
        while let name = open.popFirst() {
            names.insert(name)
            let inner = ShapeNotation.references(in: definition(name))
            open.formUnion(inner.subtracting(names))
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": .string("urn:momtool:\(command.replacing(" ", with: "-")):\(reportVersion)"),
            "title": .string("momtool \(command) --format json"), "description": .string(about),
            "anyOf": shape == findings ? [shape] : [shape, findings],
            "$defs": .object(Dictionary(names.map { ($0, definition($0)) }) { $1 }),
        ]
    }

    private func definition(_ name: String) -> JSONValue { JSONShapes.definitions[name] ?? [:] }
}
