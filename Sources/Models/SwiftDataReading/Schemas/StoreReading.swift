import Diagnostics
import ObjectModel

extension SchemaReader {
    /// A store with the classes of its container, and whether its file is known.
    fileprivate typealias OpenedStore = (store: SwiftStore, members: [Int], isKnown: Bool)

    /// Returns the stores of containers whose classes are known; warns if two share a file.
    ///
    /// `groups` are the first groups of apps that entitlements list, by the folders around them: default stores are there.
    mutating func stores(_ groups: [String: String]) -> [SwiftStore] {
        var stores: [OpenedStore] = []
        for (use, scope) in uses where !isTemporary(use, in: scope) {
            guard let all = classes(of: use, in: scope) else { continue }
            for configuration in configurations(of: use, in: scope)
            where configuration.isInMemory == false {
                let arguments = configuration.arguments ?? []
                let types =
                    arguments.first?.label == "for"
                    ? classes(listedFirstIn: arguments, in: configuration.scope) : nil
                let schema = configuration["schema"].flatMap {
                    classes($0, in: configuration.scope, depth: 0)
                }
                let known = members(of: schema ?? types ?? all)
                let file = file(of: configuration, use, groups)
                let isKnown =
                    configuration.arguments != nil && file.allSatisfy { $0?.isConstant ?? true }
                var store = SwiftStore(
                    entities: Set(known.map { index.nodes[$0].name }),
                    isMirrored: isMirrored(configuration),
                    file: file.map { part in part.map { "\($0)" } ?? "" }.joined(separator: "\n"),
                    path: configuration.arguments == nil ? nil : path(file[0]),
                    members: file.flatMap { $0?.members ?? [] },
                    source: index.mark(use.place)
                )
                // What entitlements say is read as it is now, also for the sources of a revision.
                let group = configuration["groupContainer"]
                    .map { resolved($0, in: configuration.scope) }
                let isStated =
                    configuration["url"] != nil
                    || group.map { $0 != .member(nil, "automatic") } ?? false
                store.isInGroup = isKnown && isStated ? store.isOfGroup : nil
                warn(of: (store, known, isKnown), beside: stores)
                stores.append((store, known, isKnown))
            }
        }
        return stores.map(\.store)
    }

    /// Returns the classes of containers that are only in memory, if there are no others.
    mutating func memoryStores() -> [SwiftStore] {
        var stores: [SwiftStore] = []
        for (use, scope) in uses {
            guard isPreview(use, in: scope), let all = classes(of: use, in: scope) else {
                return []
            }
            let entities = Set(members(of: all).map { index.nodes[$0].name })
            stores.append(SwiftStore(entities: entities, file: "", source: index.mark(use.place)))
        }
        return stores
    }

    /// The URL or the name of the file of a configuration, and its group, as far as they say which file it is.
    private func file(
        of configuration: StoreConfiguration,
        _ use: ContainerUse,
        _ groups: [String: String]
    ) -> [Expression?] {
        let scope = configuration.scope
        // With a URL the name is only a label.
        if let url = configuration["url"] { return [resolved(url, of: "URL", in: scope), nil] }
        let first = configuration.arguments?.first
        var name = first?.label == nil ? first.map { resolved($0.value, in: scope) } : nil
        if name == .string("default") || name == .null { name = nil }
        let group = configuration["groupContainer"].map { resolved($0, in: scope) }
        guard group.map({ $0 == .member(nil, "automatic") }) ?? true else {
            return [name, group]
        }
        let path = index.location(use.place).path
        let folder = groups.keys.filter { path.hasPrefix($0 + "/") }.max { $0.count < $1.count }
        let entitled = folder.flatMap { groups[$0] }.map { name in
            Expression.call(.member(nil, "identifier"), [.init(label: nil, value: .string(name))])
        }
        return [name, entitled]
    }

    /// The path that a configuration names or adds to a folder; `nil` where it is made at run time.
    private func path(_ location: Expression?) -> String? {
        switch location {
        case nil: return "default.store"
        case .string(let text?): return text + ".store"
        case .unwrapped(let value): return path(value)
        case .call(.member(_, "appending"), let arguments),
            .call(.member(_, "appendingPathComponent"), let arguments),
            .call(.name("URL", _), let arguments):
            guard case .string(let path) = arguments.first?.value else { return nil }
            return path
        default: return nil
        }
    }

    /// Warns where one container opens the file of another without some of its classes, or with other ones of the same
    /// names: it drops the tables or columns of the rest, or does not open it.
    private mutating func warn(of opened: OpenedStore, beside others: [OpenedStore]) {
        let store = opened.store
        for (other, members, isKnown) in others
        where isKnown && opened.isKnown && other.file == store.file && isOfOneApp(store, other) {
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
