import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
import MigrationTesting
import ModelCompiling
import ModelLoading
import Momtool
import ObjectModel

/// The mapping model of a step and the stubs of its policies, as files to be completed by hand.
struct MappingModelFiles {
    /// What the step leaves open, for people to read.
    let questions: [String]
    private let outputs: [OutputFiles]

    /// Works out the files.
    ///
    /// - Parameters:
    ///   - model: the path of the model.
    ///   - names: the versions of the step, old and new.
    ///   - folder: where the files go.
    ///   - language: the language of policies; that of the model if `nil`.
    ///   - swift: what was said about Swift sources.
    /// - Throws: `CommandFailure` for versions that the model does not have, and for files that exist.
    init(
        of model: String,
        between names: [String],
        in folder: String,
        language: PolicyLanguage?,
        _ swift: SwiftSettings
    ) throws {
        let bundle = try ModelArgument(model, swift).load()
        let (old, new) = (try bundle.chosenVersion(names[0]), try bundle.chosenVersion(names[1]))
        let skeleton = MappingSkeleton(from: old, to: new)
        var mapping = skeleton.mapping
        mapping.sourceModelPath = Self.projectPath(of: old)
        mapping.destinationModelPath = Self.projectPath(of: new)
        let text = mappingModelText(of: mapping, from: old.model, to: new.model)
        let folder = trimmedPath(folder)
        let bundlePath = "\(folder)/\(old.name) to \(new.name).xcmappingmodel"
        var outputs = [
            OutputFiles(
                path: bundlePath,
                files: [OutputFile(path: bundlePath + "/xcmapping.xml", bytes: Data(text.utf8))]
            )
        ]
        let written = new.model.documentSettings["sourceLanguage"]
        let language = language ?? (written == "Objective-C" ? .objectiveC : .swift)
        for source in skeleton.policySources(language: language) {
            let path = "\(folder)/\(source.name)"
            let file = OutputFile(path: path, bytes: Data(source.text.utf8))
            outputs.append(OutputFiles(path: path, files: [file]))
        }
        var policies: [String] = []
        for name in mapping.entityMappings.compactMap(\.policyClassName)
        where !policies.contains(name) { policies.append(name) }
        outputs.append(
            Self.caseFile(of: model, from: old, to: new, in: folder, policies: policies)
        )
        for output in outputs where FileIdentity(of: output.path) != nil {
            throw CommandFailure(
                .refused,
                output.path,
                "it exists already, and may have been completed by hand",
                "existing-mapping-model"
            )
        }
        self.outputs = outputs
        questions = skeleton.questions.map(\.text)
    }

    /// The case of the step, with the mapping model.
    private static func caseFile(
        of model: String,
        from old: ModelVersion,
        to new: ModelVersion,
        in folder: String,
        policies: [String]
    ) -> OutputFiles {
        let name = "\(old.name)-to-\(new.name)"
        let place = fileURL(folder).standardizedFileURL.appending(path: name)
        let text = caseTemplate(
            model: NewCase.relativePath(from: place, to: fileURL(model).standardizedFileURL),
            from: old,
            to: new,
            policies: policies,
            mappingModel: "../\(old.name) to \(new.name).xcmappingmodel"
        )
        let path = "\(folder)/\(name)"
        let file = OutputFile(path: "\(path)/\(MigrationCase.fileName)", bytes: Data(text.utf8))
        return OutputFiles(path: path, files: [file])
    }

    /// Writes the files.
    ///
    /// - Returns: their paths.
    func write(sparing inputs: [String]) throws -> [String] {
        try OutputFiles.check(outputs, sparing: InputFiles(inputs))
        for output in outputs { _ = try output.write() }
        return outputs.map(\.path)
    }

    /// The path of a version from the folder of its project, as Xcode writes it; from its bundle where no project is near.
    private static func projectPath(of version: ModelVersion) -> String {
        let file = fileURL(version.path).standardizedFileURL
        let isContents = ["contents", "elements"].contains(file.lastPathComponent)
        let place = isContents ? file.deletingLastPathComponent() : file
        let parts = place.path.split(separator: "/").map(String.init)
        for count in stride(from: parts.count - 2, to: 0, by: -1) {
            let folder = "/" + parts.prefix(count).joined(separator: "/")
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            guard entries.contains(where: { $0.hasSuffix(".xcodeproj") }) else { continue }
            return parts.dropFirst(count).joined(separator: "/")
        }
        return parts.suffix(2).joined(separator: "/")
    }
}
