import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import ModelCompiling
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting

/// `momtool model convert`: writes models of Xcode 3 in today's format.
struct ModelConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write models in the format of Xcode 3 as today's Xcode does.",
        discussion: """
            Until Xcode 3 a model version was a folder with the files 'elements' and
            'layout'. They are replaced with one file, 'contents', as they are when the
            model is saved in a later Xcode. No version hash changes, so that stores
            open as before. Versions in today's format stay as they are.

            To keep the old files, write a copy: momtool decompile Shop.xcdatamodeld -o DIR

            EXAMPLE
              momtool model convert Shop.xcdatamodeld
            """
    )

    @Argument(help: "The models: .xcdatamodeld or .xcdatamodel.", completion: .model)
    var models: [String]

    @OptionGroup var report: OutputOptions<TextFormats>

    func run() throws {
        try MomtoolCommands.run {
            var work = WorkReport()
            for model in try models.map({ try onlyModel(at: $0) }) {
                try inTurn(around: ModelArgument(model).path) { try convert(model, &work) }
            }
            try report.deliver(work)
        }
    }

    private func convert(_ argument: String, _ work: inout WorkReport) throws {
        let path = trimmedPath(ModelArgument(argument).path)
        switch ModelFileKind(at: path) {
        case .versionedSource, .source: break
        case .contents, .compiledBundle, .compiledVersion, nil:
            let isThere = FileManager.default.fileExists(atPath: path)
            let message =
                isThere
                ? "this is no model; name an .xcdatamodeld or .xcdatamodel"
                : "no such file or folder"
            throw CommandFailure(
                isThere ? .usage : .noInput,
                path,
                message,
                isThere ? .notAModel : .unreadableFile
            )
        }
        var bundle = try checked(ModelPlace(argument).readChosen())
        bundle.versions.removeAll { sourceName(in: $0.path) == "contents" }
        guard !bundle.versions.isEmpty else {
            return work.add(path, .unchanged, "\(path): up to date")
        }
        let files = try bundle.versions.map { version in
            OutputFile(path: version.path + "/contents", bytes: try contents(of: version))
        }
        _ = try OutputFiles(path: path, files: files, areModels: true).write()
        // From here on `contents` is what counts, so that a process that dies leaves nothing undone but this.
        for version in bundle.versions {
            for name in ["elements", "layout"] { unlink("\(version.path)/\(name)") }
        }
        let names = bundle.versions.map { "'\($0.name)'" }.joined(separator: ", ")
        work.add(path, .written, "\(path): converted \(names)")
    }

    /// Returns the text of a version, which says the same as the version does.
    private func contents(of version: ModelVersion) throws -> Data {
        let written = modelContents(of: version.model)
        let text = Data(try checked(written).utf8)
        let again = readModel(contents: text, path: version.path + "/contents")
        let copy = ModelVersion(name: version.name, path: version.path, model: again.value)
        guard !again.hasErrors, copy.hashes == version.hashes else {
            let message =
                "the version '\(version.name)' would have other hashes, and is not written"
            throw CommandFailure(.badData, version.path, message, .unknownLegacyPart)
        }
        return text
    }
}
