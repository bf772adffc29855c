package import Diagnostics
import Essentials
package import ObjectModel
import YAMLReading

/// Reads a model's entry in a XcodeGen `project.yml`, only from its text; `nil` if it is not a project.
///
/// XcodeGen lists the versions in the folder and leaves the current one to the model. The path of the model starts from
/// the folder of the file, without `..` inside of it.
package func readXcodeGenProject(
    _ text: String,
    path: String,
    model: String
) -> Diagnosed<ProjectModel?> {
    var document = YAMLDocument(path: path, rule: "unreadable-project")
    let root = document.parse(text, mayBeEmpty: true)
    let faults = document.diagnostics.map { fault in
        var fault = fault
        fault.severity = .warning
        fault.message = "the project cannot be read, so it is ignored: \(fault.message)"
        return fault
    }
    guard faults.isEmpty else { return Diagnosed(nil, faults) }
    guard let targets = root?.mapping?["targets"]?.mapping else { return Diagnosed(nil) }
    let sources = targets.compactMap { $0.value.mapping }.flatMap(sourceEntries)
    let taken = sources.first { $0.takes(model) }
    let isOpen =
        root?.mapping?["include"] != nil || sources.contains { $0.path.contains("${") }
        || targets.contains { $0.value.mapping?["templates"] != nil }
    let mark = taken?.mark ?? root?.mapping?["targets"]?.mark
    return Diagnosed(
        ProjectModel(
            location: FileLocation(path: path, line: mark?.line, column: mark?.column),
            membership: taken != nil ? .inTarget : isOpen ? .unknown : .unlisted
        )
    )
}

/// Reads which files each target of a XcodeGen `project.yml` takes, apart from tests, by their paths from its folder.
package func readXcodeGenTargets(_ text: String, path: String) -> [@Sendable (String) -> Bool] {
    var document = YAMLDocument(path: path, rule: "unreadable-project")
    let root = document.parse(text, mayBeEmpty: true)
    guard let targets = root?.mapping?["targets"]?.mapping else { return [] }
    return targets.compactMap { $0.value.mapping }.filter { target in
        let type = target["type"]?.scalar?.string ?? ""
        return !type.hasSuffix("-test") && !type.hasSuffix("-testing")
    }.map { target in
        let entries = sourceEntries(of: target)
        return { file in entries.contains { $0.takes(file) } }
    }
}

private struct SourceEntry: Sendable {
    var path: String
    var excludes: [String]
    var isCompiled: Bool
    var mark: YAMLNode.Mark

    func takes(_ model: String) -> Bool {
        guard isCompiled else { return false }
        let folder = path.split(separator: "/").filter { $0 != "." }
        let parts = model.split(separator: "/")
        guard parts.starts(with: folder) else { return false }
        let rest = parts.dropFirst(folder.count).joined(separator: "/")
        return !excludes.contains { pattern in
            pattern == rest || rest.hasPrefix(pattern + "/") || fnmatch(pattern, rest, 0) == 0
        }
    }
}

private func sourceEntries(of target: YAMLNode.Mapping) -> [SourceEntry] {
    guard let node = target["sources"] else { return [] }
    let nodes = node.sequence ?? [node]
    return nodes.compactMap { node in
        if let path = node.scalar?.string {
            return SourceEntry(path: path, excludes: [], isCompiled: true, mark: node.mark)
        }
        guard let mapping = node.mapping, let path = mapping["path"]?.scalar?.string else {
            return nil
        }
        return SourceEntry(
            path: path,
            excludes: mapping["excludes"]?.sequence?.compactMap { $0.scalar?.string } ?? [],
            isCompiled: mapping["buildPhase"]?.scalar?.string != "none",
            mark: node.mark
        )
    }
}
