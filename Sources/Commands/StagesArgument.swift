import Diagnostics
import FileSystem
import Foundation
import MigrationPlanning
import MigrationTesting
import ModelLoading
import ObjectModel
import SettingsFiles
import StoreMigration

/// A stages file with everything that it names: models, scripts and maps.
struct StagesArgument {
    var file: StagesFile
    var manager: StagedMigrationManager
    var works: [Int: CustomStageWork]
    /// The versions of the model, oldest first.
    var versions: [ModelVersion]

    /// Reads a stages file; whatever is wrong with it ends the command before a store is touched.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - bundles: the models that the command line names; when there are none, the file names one.
    /// - Throws: `CommandFailure` for whatever cannot be read.
    init(_ path: String, bundles: [ModelBundle]) throws {
        let text = try Self.text(path)
        file = try Self.checked(readStagesFile(text, path: path))
        let folder = fileURL(path).deletingLastPathComponent()
        var bundles = bundles
        if bundles.isEmpty, let model = file.model {
            bundles = [try ModelArgument(Self.path(model, in: folder)).load()]
        }
        let needsModel = file.stages.flatMap(\.versions).contains {
            Self.modelPath($0.name, in: folder) == nil
        }
        guard !bundles.isEmpty || !needsModel else {
            throw CommandFailure(.usage, path, "name a model here or with --model", "no-model")
        }
        let all = bundles.flatMap(\.versions)
        versions = all
        manager = try file.manager { version in
            if let found = all.first(where: { $0.name == version.name }) { return found }
            guard let path = Self.modelPath(version.name, in: folder) else { return nil }
            return try ModelArgument(path).load().chosenVersion(nil)
        }
        works = try Self.checked(stageWorks(of: file, in: folder))
    }

    /// Checks the list and says what was found; errors end the command.
    func check() throws {
        let findings = manager.findings(versions: versions)
        for finding in findings {
            let place = finding.stage.map { file.stages[$0].location }
            let location = place ?? SourceLocation(path: file.path)
            Console.complain(finding.diagnostic(at: location).description)
        }
        if findings.contains(where: { $0.severity == .error }) {
            throw CommandFailure(.refused, [])
        }
    }

    /// The paths of what the file names: models, scripts and maps.
    var paths: [String] {
        let folder = fileURL(file.path).deletingLastPathComponent()
        let names = file.stages.flatMap { stage in
            stage.versions.map(\.name) + stage.scripts.values.map(\.path)
        }
        return ([file.model].compactMap(\.self) + names).map { Self.path($0, in: folder) }
    }

    /// Returns the text of the scripts that the stages name, by their places.
    func scripts() throws -> [Int: [CustomMigrationStage.Part: String]] {
        let folder = fileURL(file.path).deletingLastPathComponent()
        var scripts: [Int: [CustomMigrationStage.Part: String]] = [:]
        for (place, stage) in file.stages.enumerated() {
            for (part, script) in stage.scripts {
                let path = Self.path(script.path, in: folder)
                let isMappingModel = path.hasSuffix(".cdm") || path.hasSuffix(".xcmappingmodel")
                scripts[place, default: [:]][part] =
                    isMappingModel ? "see \(script.path)" : try Self.text(path)
            }
        }
        return scripts
    }

    /// The path of a version that is a model of its own, as `Old.mom` or `App.xcdatamodeld#V2`; `nil` for a name.
    private static func modelPath(_ name: String, in folder: URL) -> String? {
        let path = path(name, in: folder)
        let file = path.split(separator: "#").first.map(String.init) ?? path
        let kinds = ["mom", "xcdatamodel", "xcdatamodeld", "momd"]
        let isModel = kinds.contains(fileURL(file).pathExtension)
        return isModel || FileManager.default.fileExists(atPath: file) ? path : nil
    }

    private static func path(_ path: String, in folder: URL) -> String {
        path.hasPrefix("/") ? path : folder.appending(path: path).path
    }

    private static func text(_ path: String) throws -> String {
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try readFile(path, limit: 16 << 20)
        } catch {
            throw CommandFailure(.noInput, path, error.reason, .unreadableFile)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, path, "the file is no UTF-8", .unreadableFile)
        }
        return text
    }

    private static func checked<Value>(_ result: Diagnosed<Value>) throws -> Value {
        Console.show(result.diagnostics)
        guard !result.hasErrors else {
            let isMissing = result.diagnostics.contains { $0.rule == .unreadableFile }
            throw CommandFailure(isMissing ? .noInput : .badData, [])
        }
        return result.value
    }
}
