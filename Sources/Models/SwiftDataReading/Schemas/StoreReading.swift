import Diagnostics
import ObjectModel

extension SchemaReader {
    /// A store with the classes of its container.
    fileprivate typealias OpenedStore = (store: SwiftStore, members: [Int])

    /// Returns the stores of containers whose classes are known; warns if two share a file.
    mutating func stores() -> [SwiftStore] {
        var stores: [OpenedStore] = []
        for (use, scope) in uses where !use.isTemporary {
            guard let all = classes(of: use, in: scope) else { continue }
            let isDefault = !use.arguments.contains { $0.label == "configurations" }
            for arguments in configurations(of: use) {
                func value(_ label: String) -> Expression? {
                    arguments.first { $0.label == label }?.value
                }
                let isOfTypes = arguments.first?.label == "for"
                let types = isOfTypes ? classes(listedFirstIn: arguments, in: scope) : nil
                let schema = value("schema").flatMap { classes($0, in: scope, depth: 0) }
                let own = schema ?? types ?? all
                let first = isOfTypes ? nil : arguments.first { $0.label == nil }
                let name = first?.value ?? value("url")
                let group = value("groupContainer").flatMap { group -> Expression? in
                    if case .member(_, "automatic") = group { return nil }
                    return group
                }
                let file = [name, group].map { part in part.map { "\($0)" } ?? "" }
                let known = members(of: own)
                let store = SwiftStore(
                    entities: Set(known.map { index.nodes[$0].name }),
                    isMirrored: value("cloudKitDatabase").flatMap(isMirrored),
                    file: file.joined(separator: "\n"),
                    fileName: !arguments.isEmpty || isDefault
                        ? fileName(first?.value, value("url")) : nil,
                    source: index.mark(use.place)
                )
                warn(of: (store, known), beside: stores)
                stores.append((store, known))
            }
        }
        return stores.map(\.store)
    }

    /// The arguments of the configurations of a container; none of its own for the default one.
    private func configurations(of use: ContainerUse) -> [[Expression.Argument]] {
        let start = use.arguments.firstIndex { $0.label == "configurations" }
        let values = start.map { use.arguments[$0...].map(\.value) } ?? []
        let calls = values.flatMap { value -> [Expression] in
            if case .array(let values) = value { values } else { [value] }
        }.compactMap { value -> [Expression.Argument]? in
            guard case .call(.name("ModelConfiguration", _), let arguments) = value else {
                return nil
            }
            return arguments
        }
        return calls.isEmpty ? [[]] : calls
    }

    /// The name of the file that a configuration names or leads to; `nil` where it is made at run time.
    private func fileName(_ name: Expression?, _ url: Expression?) -> String? {
        switch (name, url) {
        case (.string(let text)?, _): text.map { $0 + ".store" }
        case (nil, nil): "default.store"
        case (nil, .unwrapped(let value)?): fileName(nil, value)
        case (nil, .call(_, let arguments)?):
            if case .string(let path?) = arguments.first?.value {
                path.split(separator: "/").last.map(String.init)
            } else {
                nil
            }
        default: nil
        }
    }

    private func isMirrored(_ database: Expression) -> Bool? {
        switch database {
        case .member(_, "none"): false
        case .call(.member(_, "private"), _): true
        default: nil
        }
    }

    /// Warns where one container opens the file of another without some of its classes, or with other ones of the same
    /// names: it drops the tables or columns of the rest, or does not open it.
    private mutating func warn(of opened: OpenedStore, beside others: [OpenedStore]) {
        let store = opened.store
        for (other, members) in others where other.file == store.file && isOfOneApp(store, other) {
            let foreign = opened.members.filter { !members.contains($0) }.map { index.nodes[$0] }
                .filter { other.entities.contains($0.name) }.map { $0.path.joined(separator: ".") }
            let isSecond = !foreign.isEmpty || !other.entities.isSubset(of: store.entities)
            let (whole, part) = isSecond ? (other, store) : (store, other)
            let lost = whole.entities.subtracting(part.entities).sorted()
            // Lists without a class in common may be of two apps in one folder.
            let isOfOneStore =
                !store.entities.isDisjoint(with: other.entities) || store.file != "\n"
                || store.source.element?.path == other.source.element?.path
            guard !lost.isEmpty && isOfOneStore || !foreign.isEmpty else { continue }
            let fault =
                foreign.isEmpty
                ? "without \(lost.listed(most: 5)): SwiftData drops their tables; give it its own file, or all classes"
                : "with other classes of the same names, \(foreign.listed(most: 5)): give it its own file, or the same classes"
            add(
                Diagnostic(
                    "container-drops-classes",
                    "the container opens another container's store \(fault)",
                    severity: .warning,
                    at: part.source.element,
                    notes: [
                        Diagnostic.Note(
                            "the other one is here",
                            at: whole.source.element
                        )
                    ]
                )
            )
            return
        }
    }

    /// Whether two containers are in sources of one target, or name a folder that targets share: other targets have
    /// another default file.
    private func isOfOneApp(_ store: SwiftStore, _ other: SwiftStore) -> Bool {
        if store.isOfGroup { return true }
        let folders = [store, other].map { store in
            (store.source.element?.path ?? "").split(separator: "/").dropLast()
        }
        return folders[0].starts(with: folders[1]) || folders[1].starts(with: folders[0])
    }
}
