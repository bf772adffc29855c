import Diagnostics
import ObjectModel

extension EntityReader {
    mutating func read(_ macro: AttributeUse) {
        do throws(Refusal) {
            switch macro.name {
            case "Unique":
                for argument in macro.arguments {
                    let names = try names(argument, of: macro)
                    draft.constraints.append(
                        UniquenessConstraint(properties: names, source: index.mark(macro.place))
                    )
                }
            case "Index": try readIndexes(macro)
            default: break
            }
        } catch { refuse(error.reason, error.notes, at: error.place ?? macro.place) }
    }

    private mutating func readIndexes(_ macro: AttributeUse) throws(Refusal) {
        for argument in macro.arguments {
            var argument = argument
            if case .call(.member(_, let kind), let arguments) = argument.value {
                guard kind == "binary", arguments.count == 1 else {
                    // Indexes take no part in hashes: the entity keeps its own without this one.
                    draft.omissions.append(
                        .init(
                            element: draft.name,
                            message: "the index .\(kind) is not understood and left out",
                            notes: ["no known store has one; the hash does not depend on it"],
                            place: macro.place
                        )
                    )
                    continue
                }
                argument = arguments[0]
            }
            let names = try names(argument, of: macro)
            draft.indexes.append(
                FetchIndex(
                    name: "SwiftDataIndexOnBinary" + names.joined(),
                    elements: names.map { FetchIndex.Element(.property($0)) },
                    source: index.mark(macro.place)
                )
            )
        }
    }

    private func names(
        _ argument: Expression.Argument,
        of macro: AttributeUse
    ) throws(Refusal) -> [String] {
        guard argument.label == nil, case .array(let elements) = argument.value, !elements.isEmpty
        else { throw Refusal("#\(macro.name) is not understood") }
        var names: [String] = []
        for element in elements {
            if case .keyPath(nil, let path?) = element, path.count == 1 {
                names.append(path[0])
                continue
            }
            guard let (root, name) = element.memberOfType,
                index.names(root, class: draft.name, in: index.nodes[draft.id].scope)
            else {
                let note = "known stores have only lists of plain properties, such as [\\.name]"
                throw Refusal("a key path of #\(macro.name) is not understood", [note])
            }
            names.append(name)
        }
        return names
    }
}
