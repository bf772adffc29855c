package import Diagnostics
import Essentials
import ModelHashing
import ModelLoading
package import ObjectModel
package import StoreFormat
package import StoreMigration

extension RepairOptions {
    /// Takes the decisions in advice, without those for other calls; throws for names and values that no model has.
    package init(
        following advice: [Advice],
        in model: ManagedObjectModel,
        of store: StoreFile
    ) throws(MomtoolError) {
        self = RepairOptions().deciding(advice)
        isOwnModel = store.carries(model)
        for advice in advice {
            switch advice {
            case .setValue(let name, let text): values[name] = try model.value(text, of: name)
            case .clearValues(let name): try model.requireOptional(name)
            case .dropOwnerless(let entity): try model.require(entity)
            case .pruneHistory(let days):
                guard days >= 0, days.isFinite else {
                    throw MomtoolError(usage: "the age of history is a number of days, 0 or more")
                }
                historyStart = Date().timeIntervalSinceReferenceDate - days * 24 * 60 * 60
            case .clearLinks, .convertValues, .createEmptyTables, .allowLoss, .allowAllLosses,
                .allowBackward, .allowTime, .nameJoinTable, .force,
                .startVersion, .takeVersion, .removeFiles, .compact, .nameValue, .nameHistoryAge,
                .nameModel, .nameOlderModel, .nameVersion, .nameBothVersions:
                break
            }
        }
        guard let name = clearedValues.sorted().first(where: { values[$0] != nil }) else { return }
        throw MomtoolError(usage: "'\(name)' cannot be both nil and a value; give only one")
    }
}

extension StoreFile {
    /// Whether a store without records of its version carries a model, which is then the one that wrote it.
    fileprivate func carries(_ model: ManagedObjectModel) -> Bool {
        guard (try? metadata().saysVersion) != true || (try? primaryKeys()) == nil,
            let own = try? embeddedVersion(of: self), !own.hasErrors
        else { return false }
        return own.value.hashes == versionHashes(of: model)
    }
}

extension ManagedObjectModel {
    fileprivate func require(_ entity: String) throws(MomtoolError) {
        let known = entities.map(\.name)
        guard known.contains(entity) else {
            let nearest = suggestion(for: entity, among: known)
            throw MomtoolError(usage: "there is no entity '\(entity)'\(nearest)")
        }
    }

    fileprivate func value(_ text: String, of name: String) throws(MomtoolError) -> AttributeValue {
        let attribute = try attribute(name)
        let isDate = attribute.type == .date
        let value =
            isDate
            ? storedDate(text).map { .date($0) }
            : attributeValue(ofText: text, type: attribute.type)
        guard let value else {
            let type = attribute.type.sourceName ?? "Undefined"
            let form = isDate ? "; write it as 2024-02-29 or 2024-02-29T12:30:00Z" : ""
            throw MomtoolError(usage: "'\(text)' is not a value of type \(type)\(form)")
        }
        return value
    }

    fileprivate func requireOptional(_ name: String) throws(MomtoolError) {
        guard try !attribute(name).isOptional else { return }
        throw MomtoolError(usage: "'\(name)' is required and cannot be nil; give it a value")
    }

    private func attribute(_ name: String) throws(MomtoolError) -> Attribute {
        let names = name.split(separator: ".").map(String.init)
        let entity = entities.first { $0.name == names.first }
        let attribute = entity?.attributes.first { $0.name == names.last }
        guard names.count == 2, let attribute else {
            let known = entities.flatMap { entity in
                entity.attributes.map { "\(entity.name).\($0.name)" }
            }
            let nearest = suggestion(for: name, among: known)
            throw MomtoolError(usage: "there is no attribute '\(name)'\(nearest)")
        }
        return attribute
    }
}
