import Diagnostics
import ModelDiffing
import ModelEditing
import ModelHashing
import ObjectModel

extension Rule {
    static let indexOnlyVersion = Rule(
        .named("index-only-version", .versions, .warning),
        summary: "A version differs from the previous one by more than indexes",
        rationale: """
            Indexes are not part of any hash, so Core Data takes a version that only adds some for the previous one: \
            its stage never runs, stores in the field never get the index, and a plan that lists both versions raises \
            "Duplicate version checksums". Add the index together with a change that affects a hash.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/>\
            <fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>\
            </entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            """
            ◀
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\
            <fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>\
            </entity>
            """
        ),
        fix: .movingHash("sets a version hash modifier on the entities whose indexes change"),
        check: .step { step in
            let changes = step.silentChanges.filter(\.isIndexChange)
            guard step.from.isWhole, step.to.isWhole, step.from.checksum == step.to.checksum,
                !changes.isEmpty
            else { return [] }
            return [
                Violation(
                    "'\(step.to.name)' only adds indexes to '\(step.from.name)': for Core Data it is the same "
                        + "version, and stores in the field never get them",
                    at: step.to.elementLocation,
                    fix: modifier(of: step.to, Set(changes.compactMap(\.subject.entity))),
                    version: step.to.name
                )
            ]
        }
    )
}

/// Gives the entities a new hash modifier, so that Core Data makes the step and with it the indexes.
private func modifier(of version: ModelVersion, _ names: Set<String>) -> Fix? {
    guard !version.path.hasSuffix(".swift") else { return nil }
    let changes = version.model.entities.filter { names.contains($0.name) }.compactMap { entity in
        entity.source.element.map { place in
            let isTaken = entity.versionHashModifier == version.name
            let value = version.name + (isTaken ? " indexes" : "")
            return Fix.Change(location: place, edit: .tag(.set("versionHashModifier", value)))
        }
    }
    let summary = "set a version hash modifier, so that stores get the indexes"
    return Fix(summary, changes, movesHash: true)
}
