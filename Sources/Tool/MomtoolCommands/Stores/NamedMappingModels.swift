import ArgumentParser
import Essentials
import FileSystem
import Momtool
import SettingsFiles

/// The mapping models of the option `--mapping-models`.
struct NamedMappingModels {
    static let help = ArgumentHelp(
        "A mapping model, or a folder of mapping models; may be repeated. A step uses the one whose hashes fit; without one, it is inferred.",
        valueName: "path"
    )

    let paths: [String]

    /// Reads them, with those of a model's configuration, and those near the model.
    func read(for model: String?) throws -> MappingModels {
        let read = try readSilently(for: model)
        Console.show(read.warnings)
        return read
    }

    /// Whether a readable one leads from one of several models to the last of them.
    func lead(from models: [ModelBundle], to last: ModelBundle, for argument: String) -> Bool {
        // Their faults are reported where the route is looked for.
        guard let read = try? readSilently(for: argument) else { return false }
        return read.lead(from: models.flatMap(\.versions), to: last.versions)
    }

    private func readSilently(for model: String?) throws -> MappingModels {
        let path = Self.path(ofModel: model)
        return try MappingModels(around: path, settings(for: path ?? "."), naming: paths)
    }

    /// Reads them for a list of stages, whose own model counts where none is named.
    func read(for model: String?, stages: String) throws -> MappingModels {
        guard model == nil else { return try read(for: model) }
        let file = readStagesFile(readText(stages).value, path: stages).value
        let folder = parent(of: stages)
        return try read(
            for: file.model.map { $0.hasPrefix("/") || folder == "." ? $0 : "\(folder)/\($0)" }
                ?? stages
        )
    }

    static func path(ofModel model: String?) -> String? {
        model?.split(separator: "#", maxSplits: 1).first.map(String.init)
    }
}
