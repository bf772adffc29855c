package import Diagnostics
import ModelChecking
import YAMLReading

/// What settings files name and is gone once versions of a model are pruned.
package struct SettingsPruning: Sendable {
    /// The versions that go.
    package var versions: Set<String>
    /// The versions that other models have too: what is said of these names stays.
    package var shared: Set<String>
    /// All versions of the model, from the oldest to the newest.
    package var order: [String]
    /// The names under `allowDataLoss:` that mean nothing any more.
    package var losses: Set<String>
    /// The migration policies that no mapping model names any more.
    package var policies: Set<String>

    /// Creates what is gone.
    package init(
        versions: Set<String>,
        shared: Set<String> = [],
        order: [String],
        losses: Set<String> = [],
        policies: Set<String> = []
    ) {
        self.versions = versions
        self.shared = shared
        self.order = order
        self.losses = losses
        self.policies = policies
    }

    /// A settings file without what is gone.
    package struct Result: Sendable {
        /// The text; `nil` where nothing is changed, and empty where nothing is left.
        package var text: String?
        /// What was taken out, in a few words each.
        package var removed: [String] = []
        /// Where the file names what is gone in a form that is not edited.
        package var faults: [Diagnostic] = []
    }

    /// Takes what is gone out of a `.momtool.yml`.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - path: the path that faults name.
    ///   - isGone: whether a path in the file, of a mapping model or a stages file, leads to something that goes.
    /// - Returns: the text without it, and what could not be edited.
    package func configuration(
        _ text: String,
        path: String,
        isGone: (String) -> Bool
    ) -> Result {
        guard let root = try? parseYAML(text) else { return Result() }
        var edit = SettingsEdit()
        let top = SettingsPath()
        let own = versions.subtracting(shared)
        func remove(_ list: SettingsPath, where isGone: (YAMLNode) -> Bool) {
            for (index, item) in (root.node(at: list)?.sequence ?? []).enumerated()
            where isGone(item) { edit.removed.insert(list.index(index)) }
        }
        func names(_ names: Set<String>) -> (YAMLNode) -> Bool {
            { $0.string.map(names.contains) ?? false }
        }
        remove(top.key("order"), where: names(own))
        remove(top.key("lock").key("unshipped"), where: names(own))
        remove(top.key("allowDataLoss"), where: names(losses))
        remove(top.key("lint").key("ignore")) { $0.mapping?["version"].map(names(own)) ?? false }
        for key in ["mappingModels", "stages"] {
            remove(top.key(key)) { $0.string.map(isGone) ?? false }
        }
        for key in root.node(at: top.key("policies"))?.mapping?.compactMap(\.key.string) ?? []
        where policies.contains(key) { edit.removed.insert(top.key("policies").key(key)) }
        pruneLosses(root, &edit)
        return result(of: edit, text, path)
    }

    /// Names what steps lose by the versions that stay.
    private func pruneLosses(_ root: YAMLNode, _ edit: inout SettingsEdit) {
        let losses = SettingsPath().key("losses")
        func named(_ version: String) -> [String] {
            guard let value = root.node(at: losses.key(version)) else { return [] }
            return (value.sequence ?? [value]).compactMap(\.string)
        }
        let isNamed = { (version: String) in root.node(at: losses.key(version)) != nil }
        var gone = versions.subtracting(shared).filter(isNamed)
        for (name, carried) in ModelLock.carriers(of: versions, among: order) {
            guard let carried else {
                if isNamed(name), !shared.contains(name) { gone.insert(name) }
                continue
            }
            let sources = carried.filter(isNamed)
            guard let first = sources.first else { continue }
            var known: Set<String> = []
            let all = (sources + [name]).flatMap(named).filter { known.insert($0).inserted }
            let place = isNamed(name) ? name : gone.contains(first) ? first : nil
            guard let place else { continue }
            gone.remove(place)
            edit.replaced[losses.key(place)] = (name, all)
        }
        for name in gone { edit.removed.insert(losses.key(name)) }
    }

    /// Takes versions out of a stages file.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - path: the path that faults name.
    /// - Returns: the text without them, and what could not be edited.
    package func stages(_ text: String, path: String) -> Result {
        guard let root = try? parseYAML(text) else { return Result() }
        var edit = SettingsEdit()
        let list = SettingsPath().key("stages")
        let faults = prune(root, list, &edit, path)
        guard faults.isEmpty else { return Result(faults: faults) }
        guard let count = root.node(at: list)?.count else { return Result() }
        let isWhole = (0..<count).allSatisfy { edit.removed.contains(list.index($0)) }
        return isWhole && count > 0
            ? Result(text: "", removed: ["every stage"]) : result(of: edit, text, path)
    }

    /// Takes cases out of a file of cases, and versions out of the stages that stand in those that stay.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - path: the path that faults name.
    ///   - isOwn: whether a path in the file is that of the model.
    ///   - isGone: whether a path in the file, of a mapping model or a stages file, leads to something that goes.
    /// - Returns: the text without them, and what could not be edited.
    package func cases(
        _ text: String,
        path: String,
        isOwn: (String) -> Bool,
        isGone: (String) -> Bool
    ) -> Result {
        guard let root = try? parseYAML(text) else { return Result() }
        let top = SettingsPath()
        var edit = SettingsEdit()
        var faults: [Diagnostic] = []
        var removed: [String] = []
        let names = root.node(at: top.key("cases"))?.mapping?.compactMap(\.key.string)
        for place in names?.map({ top.key("cases").key($0) }) ?? [top] {
            // What is said of all cases holds where one says nothing.
            func said(_ key: String) -> String? {
                (root.node(at: place.key(key)) ?? root.node(at: top.key(key)))?.string
            }
            guard said("model").map(isOwn) ?? false else { continue }
            let ends = [said("from"), said("to")].compactMap(\.self)
            guard ends.allSatisfy({ !versions.contains($0) }) else {
                edit.removed.insert(place)
                if case .key(let name)? = place.steps.last { removed.append("the case '\(name)'") }
                continue
            }
            for key in ["stages", "mappingModels"] {
                let path = place.key(key)
                guard let value = root.node(at: path) else { continue }
                if value.string.map(isGone) ?? false { edit.removed.insert(path) }
                for (index, item) in (value.sequence ?? []).enumerated()
                where item.string.map(isGone) ?? false { edit.removed.insert(path.index(index)) }
            }
            faults += prune(root, place.key("stages"), &edit, path)
        }
        guard faults.isEmpty else { return Result(faults: faults) }
        let isWhole =
            edit.removed.contains(top)
            || names.map {
                !$0.isEmpty && $0.allSatisfy { edit.removed.contains(top.key("cases").key($0)) }
            }
                ?? false
        guard !isWhole else { return Result(text: "", removed: ["every case"]) }
        var result = result(of: edit, text, path)
        if result.text != nil, !removed.isEmpty { result.removed = removed }
        return result
    }

    /// Takes versions out of a list of stages.
    ///
    /// - Returns: the stages that would lead nowhere, or come from nowhere.
    private func prune(
        _ root: YAMLNode,
        _ list: SettingsPath,
        _ edit: inout SettingsEdit,
        _ path: String
    ) -> [Diagnostic] {
        var faults: [Diagnostic] = []
        var stays = false
        for (index, stage) in (root.node(at: list)?.sequence ?? []).enumerated() {
            let place = list.index(index)
            if let ends = stage.mapping?["custom"]?.mapping {
                let names = [ends["from"], ends["to"]].map { $0.flatMap(Self.name) ?? "" }
                let gone = names.map(versions.contains)
                if gone.contains(true) {
                    edit.removed.insert(place)
                    if stays || !gone[0] { faults.append(fault(names, stage, path)) }
                }
                stays = stays || gone.contains(false)
                continue
            }
            let lightweight = place.key("lightweight")
            let items = root.node(at: lightweight)?.sequence ?? []
            let gone = items.indices.filter { Self.name(items[$0]).map(versions.contains) ?? false }
            stays = stays || gone.count < items.count
            guard !gone.isEmpty else { continue }
            // One version alone is no step.
            if items.count - gone.count < 2 {
                edit.removed.insert(place)
            } else {
                for item in gone { edit.removed.insert(lightweight.index(item)) }
            }
        }
        return faults
    }

    private func fault(_ names: [String], _ stage: YAMLNode, _ path: String) -> Diagnostic {
        Diagnostic(
            .invalidStagesFile,
            "the stage '\(names[0])' → '\(names[1])' goes with what is pruned, and older versions stay, whose stores "
                + "take it: write the stage that they take instead, or prune these too",
            at: FileLocation(path: path, line: stage.mark.line, column: stage.mark.column)
        )
    }

    /// The name of a version that is written as `V1` or `{V1: checksum}`.
    private static func name(_ node: YAMLNode) -> String? {
        node.string ?? node.mapping?.first?.key.string
    }

    private func result(of edit: SettingsEdit, _ text: String, _ path: String) -> Result {
        guard !edit.isEmpty else { return Result() }
        let names = edit.words
        guard let new = edit.applied(to: text) else {
            let message =
                "the file names what is pruned in a form that is not edited surely: take it out by hand first: "
                + names.joined(separator: ", ")
            let place = FileLocation(path: path)
            return Result(faults: [Diagnostic("impossible-edit", message, at: place)])
        }
        return Result(text: new, removed: names)
    }
}

extension SettingsEdit {
    /// What is edited, as people call it, such as `losses: V1`.
    fileprivate var words: [String] {
        (removed.map(\.words) + replaced.keys.map(\.words)).sorted()
    }
}

extension SettingsPath {
    fileprivate var words: String {
        var text = ""
        for step in steps {
            switch step {
            case .key(let name): text += (text.isEmpty ? "" : ".") + name
            case .index(let index): text += "[\(index + 1)]"
            }
        }
        return text
    }
}
