import Essentials
import ModelLoading
import ObjectModel

// What `print` shows of each worker: what it works on, as its values fill pages.

extension Migrator: CustomStringConvertible {
    /// The model and the version that stores get, such as `Migrator(Shop.xcdatamodeld to V3)`.
    public var description: String {
        let model = bundles.last?.path ?? stagesPath ?? ""
        return "Migrator(\(model) to \(destination?.name ?? "an unknown version"))".onOneLine
    }
}

extension Linter: CustomStringConvertible {
    /// What is set apart from the defaults, such as `Linter(checksAll, lock: Shop.lock)`.
    public var description: String {
        let parts = [
            checksAll ? "checksAll" : nil, isRelease ? "isRelease" : nil,
            config.map { "config: \($0)" }, lock.map { "lock: \($0)" },
            stages.isEmpty ? nil : "stages: \(stages.joined(separator: ", "))",
            rules.isEmpty
                ? nil : "rules: \(rules.map(\.key.rawValue).sorted().joined(separator: ", "))",
        ]
        return "Linter(\(parts.compactMap(\.self).joined(separator: ", ")))".onOneLine
    }
}

extension ModelEditor: CustomStringConvertible {
    /// The model and the version that is edited, such as `ModelEditor(Shop.xcdatamodeld#V3)`.
    public var description: String { "ModelEditor(\(path)#\(version.name))".onOneLine }
}
