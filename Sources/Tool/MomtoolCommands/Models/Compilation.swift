import Diagnostics
import Essentials
import FileSystem
import ModelCompiling
import ModelLoading
import Momtool
import ObjectModel
import PropertyLists

/// The compilation of one model or mapping model to files that are not written yet.
struct Compilation {
    enum Kind: Equatable {
        /// A folder of versions, which becomes a `.momd`.
        case bundle
        /// One version, which becomes a `.mom`.
        case version
        /// A mapping model, which becomes a `.cdm`.
        case mapping
        /// Swift sources, whose versions become a `.momd`, or a single one a `.mom`.
        case swift(SwiftSettings)
    }

    let input: String
    let kind: Kind
    /// The place in a git revision; `nil` for one on disk.
    private var revision: ModelPlace?
    var options = CompilerOptions()
    /// Whether the understood part of entities in Swift sources is compiled.
    var isPartial = false
    /// The models of a mapping model, where its own paths are not followed.
    var mappedModels: (source: String?, destination: String?) = (nil, nil)

    init(of path: String, _ swift: SwiftSettings = SwiftSettings()) throws {
        let path = try onlyModel(at: path)
        input = trimmedPath(path)
        guard !ModelPlace(path).holdsSwift else {
            kind = .swift(swift)
            return
        }
        guard Files.exists(at: input) else {
            if let place = GitPlace(path) {
                let kinds: [(String, Kind)] = [
                    (".xcdatamodeld", .bundle), (".xcdatamodel", .version), ("/contents", .version),
                    ("/elements", .version),
                ]
                kind = kinds.first { trimmedPath(place.path).hasSuffix($0.0) }?.1 ?? .swift(swift)
                revision = ModelPlace(path)
                return
            }
            throw CommandFailure(.noInput, path, absence(of: path), .unreadableFile)
        }
        if input.hasSuffix(".xcmappingmodel") || input.hasSuffix("/xcmapping.xml") {
            kind = .mapping
            return
        }
        switch ModelFileKind(at: input) {
        case .versionedSource: kind = .bundle
        case .source, .contents: kind = .version
        case .compiledBundle, .compiledVersion, nil:
            let words = InputKind(at: input).map { "this is \($0.rawValue); " } ?? ""
            let message = words + "compile reads .xcdatamodeld, .xcdatamodel and .xcmappingmodel"
            throw CommandFailure(.badData, path, message, .notAModel)
        }
    }

    struct Result {
        var output: OutputFiles
        var inputs: [String]
        /// The versions, with their models; none of a mapping model.
        var versions: [ModelVersion] = []
    }

    /// Compiles into a folder, or to a path with the extension of the result.
    func compile(to output: String) throws -> Diagnosed<Result> {
        switch kind {
        case .mapping: return try compileMapping(to: output)
        case .swift(let swift): return try compileSwift(swift, to: output)
        case .bundle where output.hasSuffix(".mom"): return try compileVersion(to: output)
        case .bundle: return try compileVersions(to: output)
        case .version: return try compileVersion(to: output)
        }
    }

    private func read() throws -> Diagnosed<ModelBundle> {
        try (revision?.read() ?? readModelBundle(at: input)).forUse
    }

    private func compileVersions(to output: String) throws -> Diagnosed<Result> {
        let bundle = try read()
        return compiled(bundle.value, to: output, from: inputs(of: bundle.value))
            .noting(bundle.diagnostics)
    }

    func compiled(
        _ bundle: ModelBundle,
        to output: String,
        from inputs: [String]
    ) -> Diagnosed<Result> {
        let path = outputPath(output, extension: "momd")
        return compileBundle(
            bundle.versions,
            currentVersionName: bundle.namedCurrentVersion,
            options: options
        ).map { files in
            let output = OutputFiles(
                path: path,
                files: files.map { OutputFile(path: path + "/" + $0.name, bytes: $0.bytes) },
                leftoverExtensions: ["mom", "omo"],
                areModels: true
            )
            return Result(output: output, inputs: inputs, versions: bundle.versions)
        }
    }

    func compiled(
        _ version: ModelVersion,
        at path: String,
        from inputs: [String]
    ) -> Diagnosed<Result> {
        compileModel(version.model, options: options).map { archive in
            let file = OutputFile(path: path, bytes: archive.binaryData)
            let output = OutputFiles(path: path, files: [file], areModels: true)
            return Result(output: output, inputs: inputs, versions: [version])
        }
    }

    private func compileVersion(to output: String) throws -> Diagnosed<Result> {
        let bundle = try read()
        guard !output.hasSuffix(".momd") else {
            let message = "a single version becomes a .mom, not a .momd"
            throw CommandFailure(.usage, output, message, "unsuitable-output")
        }
        let path = outputPath(output, extension: "mom")
        guard let version = bundle.value.currentVersion else {
            guard !bundle.hasErrors else {
                let empty = OutputFiles(path: path, files: [])
                return Diagnosed(Result(output: empty, inputs: []), bundle.diagnostics)
            }
            throw CommandFailure(
                .refused,
                input,
                "the bundle does not name its current version; compile to a .momd",
                .missingCurrentVersion
            )
        }
        return compiled(version, at: path, from: inputs(of: bundle.value))
            .noting(bundle.diagnostics)
    }

    func outputPath(_ output: String, extension: String) -> String {
        let output = trimmedPath(output)
        guard !output.hasSuffix("." + `extension`) else { return output }
        let place = ["contents", "elements", "xcmapping.xml"].contains { input.hasSuffix("/" + $0) }
        let source = fileURL(revision == nil ? input : GitPlace(input)?.path ?? input)
        let name = (place ? source.deletingLastPathComponent() : source)
            .deletingPathExtension().lastPathComponent
        return (output == "/" ? "" : output) + "/\(name).\(`extension`)"
    }

    private func inputs(of bundle: ModelBundle) -> [String] {
        guard revision == nil else { return [] }
        guard case .bundle = kind else {
            let isFile = ["/contents", "/elements"].contains(where: input.hasSuffix)
            return [isFile ? input : input + "/" + sourceName(in: input)]
        }
        let current = bundle.namedCurrentVersion.map { _ in input + "/.xccurrentversion" }
        return [input] + (current.map { [$0] } ?? [])
            + bundle.versions.map { $0.path + "/" + sourceName(in: $0.path) }
    }

    /// Writes the files of some results, or none if one of them must not be written.
    static func write(
        _ results: [Result],
        dependenciesTo depfile: String?,
        reading arguments: [String],
        report: (Result, Bool) -> Void = { _, _ in }
    ) throws {
        if results.count == 1, results[0].output.path.hasPrefix("-/"), depfile == nil {
            guard results[0].output.files.count == 1, let file = results[0].output.files.first
            else { throw CommandFailure(usage: "a .momd is a folder; name one with -o, not -") }
            return try MomtoolCommands.write(
                file.bytes,
                to: OutputPlace("-", sparing: InputFiles([]))
            )
        }
        let dependencies = depfile.map { depfile in
            let rules = results.map { dependencyRule(for: $0.output.path, inputs: $0.inputs) }
            let file = OutputFile(path: depfile, bytes: Data(rules.joined().utf8))
            return OutputFiles(path: depfile, files: [file])
        }
        let others = results.flatMap(\.inputs).filter { input in
            !arguments.contains { input.hasPrefix(trimmedPath($0) + "/") }
        }
        try OutputFiles.check(
            results.map(\.output) + [dependencies].compactMap(\.self),
            sparing: InputFiles(arguments + others)
        )
        for result in results {
            let isWritten = try result.output.write()
            if depfile != nil, !isWritten { try markAsNew(result.output.path) }
            report(result, isWritten)
        }
        _ = try dependencies?.write()
    }
}

/// Gives an up-to-date result the present time: makefiles compare only times.
private func markAsNew(_ path: String) throws {
    guard touch(path) != 0 else { return }
    throw cannotCreate(path, String(cString: strerror(errno)))
}

/// Writes the rule of a makefile with the dependencies of a file, and an empty rule for each, which may be removed.
func dependencyRule(for path: String, inputs: [String]) -> String {
    func escaped(_ path: String) -> String {
        var text = ""
        for character in path {
            switch character {
            case " ", "#", "\\", ":": text += "\\" + String(character)
            case "$": text += "$$"
            default: text.append(character)
            }
        }
        return text
    }
    let sources = inputs.map { " \\\n  " + escaped($0) }.joined()
    let mayGo = inputs.map { "\n" + escaped($0) + ":\n" }.joined()
    return escaped(path) + ":" + sources + "\n" + mayGo
}

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

    /// Compiles the versions of Swift sources, or the named one, or the one that a `.mom` needs.
    func compileSwift(
        _ swift: SwiftSettings,
        to output: String
    ) throws -> Diagnosed<Compilation.Result> {
        let bundle = try swiftBundle(swift)
        let inputs = Set(bundle.versions.map(\.path)).sorted()
        guard bundle.selectedVersionName == nil, !output.hasSuffix(".mom") else {
            let version = try bundle.chosenVersion()
            let folder = trimmedPath(output)
            let path = folder.hasSuffix(".mom") ? folder : "\(folder)/\(version.name).mom"
            return compiled(version, at: path, from: inputs).noting(guessedHashes(of: [version]))
        }
        // Without the version that the app opens its stores with, the others do not form a bundle.
        if bundle.namedCurrentVersion != nil { _ = try bundle.chosenVersion() }
        return compiled(bundle, to: output, from: inputs)
    }

    /// Reads the versions: the understood ones, or with `--partial` all.
    private func swiftBundle(_ swift: SwiftSettings) throws -> ModelBundle {
        do {
            return try ModelPlace(input, swift: swift).load(allowingGaps: isPartial)
        } catch let failure as CommandFailure
            where failure.messages.contains(where: { $0.contains("[incomplete-model]") })
        {
            let note = "note: --partial compiles what momtool understands"
            throw CommandFailure(failure.status, failure.messages + [note])
        }
    }
}
