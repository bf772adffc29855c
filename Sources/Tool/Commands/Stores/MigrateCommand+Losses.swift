import Essentials
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles
import StoreMigration

extension MigrateCommand {
    /// What may be lost, by the arguments and by the configuration of the model.
    func agreement() throws -> LossAgreement {
        let given: LossAgreement =
            allowDataLoss.contains(Self.allLosses) ? .all : .named(Set(allowDataLoss))
        let place = model.last ?? stages
        guard let place, case .named = given else { return given }
        let path = place.split(separator: "#", maxSplits: 1).first.map(String.init) ?? place
        return given.union(try settings(for: path).allowsDataLoss)
    }

    /// Warns about names that no version has; they allow nothing.
    func warnOfUnknownLosses(in bundles: [ModelBundle], of stores: [String]) {
        let entities = bundles.flatMap(\.versions).flatMap(\.model.entities)
        let names = Set(entities.map(\.name))
        let properties = entities.flatMap { entity in
            (entity.attributes.map(\.name) + entity.relationships.map(\.name))
                .map { (entity: entity.name, name: $0) }
        }
        let known = Set(properties.map(\.name))
        for name in allowDataLoss where name != Self.allLosses && !entities.isEmpty {
            let parts = name.split(separator: ".").map(String.init)
            // Sub-entities have what their parents declare.
            let isKnown =
                parts.first.map(names.contains) == true
                && (parts.count == 1 || known.contains(parts[1]))
            guard !isKnown, !isOwnObject(parts.last ?? "", in: stores) else { continue }
            let all = names.sorted() + properties.map { "\($0.entity).\($0.name)" }
            Console.complain(
                "warning: --allow-data-loss: no version has '\(name)'\(suggestion(for: name, among: all))"
            )
        }
    }

    /// What the argument holds that was given without a name.
    static let allLosses = "*"
}
