import Diagnostics
import ModelDiffing
import ObjectModel

extension Rule {
    static let entityChangesStore = Rule(
        .named("entity-changes-store", .migration, .warning),
        summary: "An entity stays in its configuration",
        rationale: """
            An app may open a store for each configuration. New objects of an entity that moves to another one are \
            saved there, and no migration moves rows between stores; what becomes of the old ones is not documented. \
            Copy them in code, before the new version opens the stores. An app that opens one store without a \
            configuration is not affected. For SwiftData, the files of containers are compared with the last release.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            "<entity name='A'/><configuration name='C'/><configuration name='D'><memberEntity name='A'/></configuration>",
            "<entity name='A'/>◀<configuration name='C'><memberEntity name='A'/></configuration><configuration name='D'/>"
        ),
        check: .step { step in
            let (old, new) = (step.from.model.configurations, step.to.model.configurations)
            // A configuration that only gets another name keeps its store.
            let stay = Set(old.map(\.name)).intersection(new.map(\.name))
            return step.matching.entityPairs.compactMap { pair in
                let before = old.filter { $0.memberEntities.contains(pair.from.name) }
                let after = new.filter { $0.memberEntities.contains(pair.to.name) }
                guard let from = before.first, let to = after.first,
                    Set(before.map(\.name)).isDisjoint(with: after.map(\.name)),
                    stay.contains(from.name) || stay.contains(to.name)
                else { return nil }
                return Violation(
                    "the step from '\(step.from.name)': \(pair.to.name): moved from configuration '\(from.name)' to "
                        + "'\(to.name)', but no migration moves rows to another store",
                    at: to.source.element,
                    element: pair.to.name,
                    notes: [Diagnostic.Note("it was here", at: from.source.element)]
                )
            }
        }
    )
}
