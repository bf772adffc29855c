import Diagnostics
import Essentials
import ModelCompiling
import ModelLoading
import Momtool
import ObjectModel
import PropertyLists

extension Compilation {
    func compileMapping(to output: String) throws -> Diagnosed<Result> {
        let file = input.hasSuffix(".xml") ? input : input + "/xcmapping.xml"
        let mapping = readMappingModel(at: file)
        let path = outputPath(output, extension: "cdm")
        guard !mapping.hasErrors else {
            let empty = OutputFiles(path: path, files: [])
            return Diagnosed(Result(output: empty, inputs: [file]), mapping.diagnostics)
        }
        let (source, destination) = try models(of: mapping.value)
        let compiled = compileMappingModel(mapping.value, from: source.model, to: destination.model)
        let output = OutputFile(path: path, bytes: compiled.value.binaryData)
        let result = Result(
            output: OutputFiles(path: path, files: [output], areModels: true),
            inputs: [file, source.path, destination.path]
        )
        let faults = compiled.diagnostics.map { $0.location == nil ? $0.at(file) : $0 }
        return Diagnosed(result, mapping.diagnostics + faults)
    }

    private func models(
        of mapping: MappingModelSource
    ) throws -> (source: ModelVersion, destination: ModelVersion) {
        if let recorded = mapping.sourceModelPath, recorded == mapping.destinationModelPath,
            mappedModels.source == nil || mappedModels.destination == nil
        {
            let message =
                "both models are named '\(recorded)'; "
                + "distinguish them with --source-model and --destination-model"
            throw CommandFailure(.refused, input, message, .unreadableFile)
        }
        return (
            try model(mappedModels.source, mapping.sourceModelPath, "source"),
            try model(mappedModels.destination, mapping.destinationModelPath, "destination")
        )
    }

    private func model(
        _ chosen: String?,
        _ recorded: String?,
        _ side: String
    ) throws -> ModelVersion {
        if let chosen { return try ModelPlace(chosen).load().chosenVersion(nil) }
        guard let recorded, let path = modelPath(recorded, above: input) else {
            let message =
                "the \(side) model '\(recorded ?? "")' is not found; name it with --\(side)-model"
            throw CommandFailure(.noInput, input, message, .unreadableFile)
        }
        return try ModelPlace(path).load().chosenVersion(nil)
    }
}
