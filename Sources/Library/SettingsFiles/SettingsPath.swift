import YAMLReading

/// The path of a value in a settings file, from the outermost keys inwards.
struct SettingsPath: Hashable, Sendable {
    /// A key of a mapping, or the index of an item of a list.
    enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    func key(_ name: String) -> SettingsPath { SettingsPath(steps: steps + [.key(name)]) }

    func index(_ index: Int) -> SettingsPath { SettingsPath(steps: steps + [.index(index)]) }

    var parent: SettingsPath { SettingsPath(steps: steps.dropLast()) }

    /// Whether this is the path of what another one leads into.
    func contains(_ other: SettingsPath) -> Bool { other.steps.starts(with: steps) }
}

extension YAMLNode {
    /// The value at a path; `nil` where there is none.
    func node(at path: SettingsPath) -> YAMLNode? {
        path.steps.reduce(self as YAMLNode?) { node, step in
            switch step {
            case .key(let name): node?.mapping?[name]
            case .index(let index):
                node?.sequence.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
    }

    /// Where an entry of this mapping begins, or an item of this list.
    func mark(of step: SettingsPath.Step) -> Mark? {
        switch step {
        case .key(let name): mapping?.first { $0.key.string == name }?.key.mark
        case .index(let index):
            sequence.flatMap { $0.indices.contains(index) ? $0[index].mark : nil }
        }
    }

    /// The number of entries or items; `nil` for a text.
    var count: Int? { mapping?.count ?? sequence?.count }
}

/// What a settings file says, however it is written.
enum SettingsValue: Hashable {
    case text(String, isPlain: Bool)
    case list([SettingsValue])
    /// Keys and values, one after the other.
    case entries([SettingsValue])

    init(_ node: YAMLNode) {
        switch node {
        case .scalar(let scalar): self = .text(scalar.string, isPlain: scalar.isPlain)
        case .sequence(let items, _): self = .list(items.map { SettingsValue($0) })
        case .mapping(let mapping, _):
            self = .entries(mapping.flatMap { [SettingsValue($0.key), SettingsValue($0.value)] })
        }
    }

    /// Returns the value with changes of what it holds.
    ///
    /// - Parameters:
    ///   - changes: by their paths what comes in the place of an entry or item; empty for what is removed.
    ///   - path: the path of this value.
    /// - Returns: the value with them.
    func changed(
        _ changes: [SettingsPath: [SettingsValue]],
        at path: SettingsPath = SettingsPath()
    ) -> SettingsValue {
        switch self {
        case .text: return self
        case .list(let items):
            return .list(
                items.enumerated().flatMap { index, item in
                    changes[path.index(index)] ?? [item.changed(changes, at: path.index(index))]
                }
            )
        case .entries(let all):
            var result: [SettingsValue] = []
            for index in stride(from: 0, to: all.count - 1, by: 2) {
                guard case .text(let name, _) = all[index] else {
                    result += all[index...(index + 1)]
                    continue
                }
                let inner = path.key(name)
                result +=
                    changes[inner] ?? [all[index], all[index + 1].changed(changes, at: inner)]
            }
            return .entries(result)
        }
    }
}
