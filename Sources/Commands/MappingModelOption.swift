import ArgumentParser
import Momtool
import ObjectModel

/// The mapping models of an app, for commands that take steps between versions.
struct MappingModelOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A mapping model, or a folder of mapping models; may be repeated. A step uses the one whose hashes fit it, and is inferred when there is none.",
            valueName: "path"
        )
    )
    var mappingModels: [String] = []

    /// Reads them, with those that the configuration of a model names.
    func read(for model: String?) throws -> MappingModels {
        let path = Self.path(ofModel: model) ?? "."
        let read = try MappingModels(mappingModels, loadConfiguration(nil, for: path))
        Console.show(read.warnings)
        return read
    }

    /// Says of a mapping model beside a model that it is for a step, where nobody named it.
    func noteUnnamed(
        beside model: String?,
        _ named: MappingModels,
        from source: ModelVersion,
        to destination: ModelVersion
    ) {
        guard let model = Self.path(ofModel: model),
            named.path(from: source, to: destination) == nil,
            let beside = try? MappingModels(beside: model, policies: [:], in: "."),
            let path = beside.path(from: source, to: destination)
        else { return }
        Console.complain(
            "\(path): note: this mapping model is for the step and is not used; "
                + "name it with --mapping-models to migrate as an app that ships it"
        )
    }

    /// The path of a model, without the version that may be named behind it.
    private static func path(ofModel model: String?) -> String? {
        model?.split(separator: "#", maxSplits: 1).first.map(String.init)
    }
}
