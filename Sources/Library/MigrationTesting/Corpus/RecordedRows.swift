import Essentials
package import ObjectModel
import RowExchange
import StoreFormat

/// The rows that a person accepted of a store, in the terms of the version that was current then; or those of a store.
package struct RecordedRows: Sendable {
    let path: String
    let model: ManagedObjectModel

    package init(path: String, model: ManagedObjectModel) {
        (self.path, self.model) = (path, model)
    }

    /// Compares a migrated store with the rows, if its model still has their properties with the same type.
    ///
    /// What a later version drops, renames or converts is judged by the step, not by its rows.
    func differences(
        in store: StoreFile,
        _ model: ManagedObjectModel,
        work: URL
    ) throws -> [String] {
        let isStore = path.hasSuffix(".sqlite")
        let rows =
            isStore
            ? RowSource(
                bytes: try exportedRows(of: StoreFile(path: path), model: self.model),
                path: path
            )
            : try RowSource(path: path)
        var expected = try ExpectedRows(rows, self.model, true, in: work)
        if isStore { expected.graph.lines = [:] }
        let (old, new) = (ModelGraph(self.model), ModelGraph(model))
        expected.graph = expected.graph.keeping { new.entity($0.entity) != nil }
        for object in expected.graph.objects {
            guard let before = old.entity(object.entity), let after = new.entity(object.entity)
            else { continue }
            expected.named[object.reference]?.formIntersection(
                old.attributes(of: before).filter { attribute in
                    new.attributes(of: after).contains {
                        $0.name == attribute.name && $0.type == attribute.type
                    }
                }.map(\.name)
                    + old.relationships(of: before).filter { relationship in
                        new.relationships(of: after).contains {
                            $0.name == relationship.name
                                && $0.destinationEntity == relationship.destinationEntity
                        }
                    }.map(\.name)
            )
        }
        let found = Data(try exportedRows(of: store, model: model))
        return PartialComparison(expected, try ObjectGraph(rows: found, model: model)).lines
    }
}
