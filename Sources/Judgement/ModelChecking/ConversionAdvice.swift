package import Diagnostics
import MappingInference
import MigrationPlanning
import ModelDiffing
import ModelHashing
package import ObjectModel
import YAMLReading

extension CheckedStep {
    /// Advice on writing the version between, where one makes the refused step legal.
    var bridgingNotes: [Diagnostic.Note] {
        let plan = MigrationPlan(from: from, to: to)
        guard let path = to.bundlePath, from.bundlePath == path, BridgingVersion(for: plan) != nil
        else { return [] }
        return [
            Diagnostic.Note(
                saying: """
                    \(.bridging(path, from: from.name, to: to.name)) writes a version between them, so that Core Data infers \
                    both steps; a custom stage moves the values there
                    """
            )
        ]
    }

    /// Advice on a custom stage that keeps the values of an attribute that the old version holds beside its new form,
    /// as a bridging version does; none for any other loss.
    func conversionNotes(for loss: StepLoss) -> [Diagnostic.Note] {
        guard let bundle = to.bundlePath, from.bundlePath != nil,
            let held = heldAttribute(of: loss)
        else { return [] }
        let custom = [
            "  - custom: {from: \(yamlText(from.name)), to: \(yamlText(to.name))}",
            "    willMigrate: Convert.sql",
        ]
        let (old, new) = (held.old, held.new)
        let head =
            "to keep its values, move them to '\(new.name)' in a custom stage, and allow \(yamlText(loss.name)) as a loss"
        let stages: Diagnostic.Note
        if let stagesFile = ledger.stagesFile {
            stages = Diagnostic.Note(
                "\(head); add to \(stagesFile), after the last stage:",
                lines: custom
            )
        } else {
            let older = earlier.filter { $0.checksum != from.checksum }.map { yamlText($0.name) }
            let folder = ledger.folder.map { $0 + "/" } ?? ""
            let model = String(bundle.trimmingPrefix(folder))
            let first = older.isEmpty ? [] : ["  - lightweight: [\(older.joined(separator: ", "))]"]
            stages = Diagnostic.Note(
                "\(head); write Stages.yml beside .momtool.yml, and name it there (stages: [Stages.yml]):",
                lines: ["model: \(yamlText(model))", "stages:"] + first + custom
            )
        }
        guard let value = new.type.scriptValue(of: quoted(old.name), old.type) else {
            return [stages]
        }
        let isParsed = old.type == .string && value.hasPrefix("CAST")
        let doubt = isParsed ? ", in which a text that is not a number becomes 0" : ""
        let statement =
            "UPDATE \(quoted(held.entity)) SET \(quoted(new.name)) = \(value) WHERE \(quoted(old.name)) NOT NULL;"
        return [stages, Diagnostic.Note("and Convert.sql beside it\(doubt):", lines: [statement])]
    }

    /// The lost attribute, with the one that continues its name.
    fileprivate func heldAttribute(
        of loss: StepLoss
    ) -> (entity: String, old: Attribute, new: Attribute)? {
        guard loss.kind == .dropped else { return nil }
        for entity in from.model.entities {
            let name = matching.destinationName(ofSource: entity.name)
            let heirs = to.model.entities.first { $0.name == name }?.attributes ?? []
            for heir in heirs {
                guard let identifier = heir.renamingIdentifier, identifier != heir.name,
                    loss.names.contains("\(entity.name).\(heir.name)"),
                    let old = entity.attributes.first(where: { $0.name == heir.name }),
                    let new = entity.attributes.first(where: { $0.name == identifier })
                else { continue }
                return (entity.name, old, new)
            }
        }
        return nil
    }
}

/// An attribute whose values move to another one under its name.
package struct HeldValue: Sendable {
    package var names: [String]
    /// Such as `Person.age`.
    package var name: String { names[0] }
    package var heir: String
    package var location: FileLocation?
}

/// Finds the attributes that a bridging version holds in their old form and in a new one that only it has.
///
/// The step to the next version drops the old form.
package func heldValues(
    from source: ModelVersion,
    to target: ModelVersion,
    after before: ModelVersion
) -> [HeldValue] {
    let step = CheckedStep(
        from: source,
        to: target,
        ledger: LossLedger(versions: [before, source, target]),
        lossSeverity: .error
    )
    return step.losses.compactMap { loss in
        guard let held = step.heldAttribute(of: loss) else { return nil }
        let older = before.model.entities.first { $0.name == held.entity }
        guard older?.attributes.contains(where: { $0.name == held.new.name }) != true else {
            return nil
        }
        return HeldValue(names: loss.names, heir: held.new.name, location: loss.location)
    }
}

extension AttributeType {
    /// The conversion of a value to this type in scripts of stages; `nil` where they have none.
    fileprivate func scriptValue(of name: String, _ type: AttributeType) -> String? {
        let wasNumber = type.isNumber || type == .decimal
        switch values {
        case .string:
            if type == .date { return "iso8601(\(name))" }
            if type == .uuid { return "uuid_text(\(name))" }
            return wasNumber ? "CAST(\(name) AS TEXT)" : type == .uri ? name : nil
        case .integer:
            return wasNumber || type == .string || type == .date ? "CAST(\(name) AS INTEGER)" : nil
        case .decimal, .double, .float:
            return wasNumber || type == .string || type == .date ? "CAST(\(name) AS REAL)" : nil
        case .boolean:
            if type == .string { return "unicode_lower(\(name)) IN ('yes', 'true', '1')" }
            return wasNumber ? "\(name) <> 0" : nil
        case .date: return type == .string ? "date(\(name))" : wasNumber ? name : nil
        case .uuid: return type == .string ? "uuid(\(name))" : nil
        case .uri: return type == .string ? name : nil
        case .binary, .transformable, .objectID, .composite, .undefined: return nil
        }
    }
}

/// A quoted name for scripts.
private func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
