import Diagnostics
import ObjectModel

extension ManagedObjectModel {
    /// The model with everything sorted by name that archives hold without an order.
    ///
    /// Usually the source is already in that order, except for names that differ in case; what is in order is not
    /// copied.
    var sortedByName: ManagedObjectModel {
        var model = self
        model.entities.sortIfNeeded(by: \.name)
        for index in model.entities.indices {
            model.entities[index].attributes.sortIfNeeded(by: \.name)
            model.entities[index].relationships.sortIfNeeded(by: \.name)
            model.entities[index].fetchedProperties.sortIfNeeded(by: \.name)
        }
        model.fetchRequestTemplates.sortIfNeeded(by: \.name)
        model.configurations.sortIfNeeded(by: \.name)
        for index in model.configurations.indices {
            model.configurations[index].memberEntities.sortIfNeeded(by: \.self)
        }
        return model
    }
}

extension Array {
    /// Sorts the elements by their names as archives do, unless they are in that order.
    mutating func sortIfNeeded(by name: (Element) -> String) {
        guard count > 1 else { return }
        let names = map(name)
        guard zip(names, names.dropFirst()).contains(where: { $1.precedesByCodeUnits($0) }) else {
            return
        }
        self = zip(names, self).enumerated().sorted { left, right in
            left.element.0 == right.element.0
                ? left.offset < right.offset : left.element.0.precedesByCodeUnits(right.element.0)
        }.map(\.element.1)
    }
}
