package import Diagnostics
import FileSystem
package import Foundation
import MigrationPlanning
import ModelLoading
import ObjectModel
package import SettingsFiles
package import StoreMigration

/// Reads the scripts and maps that the custom stages of a file name.
///
/// - Parameters:
///   - file: the stages file.
///   - folder: the folder that its paths start from.
/// - Returns: the work of each custom stage by its place, and what is wrong with what they name.
package func stageWorks(
    of file: StagesFile,
    in folder: URL
) -> Diagnosed<[Int: CustomStageWork]> {
    var works: [Int: CustomStageWork] = [:]
    var diagnostics: [Diagnostic] = []
    for (place, stage) in file.stages.enumerated() where stage.isCustom {
        var work = CustomStageWork()
        for part in CustomMigrationStage.Part.allCases {
            guard let script = stage.scripts[part] else { continue }
            let path =
                script.path.hasPrefix("/")
                ? script.path : folder.appending(path: script.path).path
            if part == .map {
                let map = readMap(path)
                diagnostics += map.diagnostics
                work.map = map.value
                continue
            }
            let text = readText(path)
            diagnostics += text.diagnostics
            let run = StageWork.script(text.value, path: path)
            if part == .willMigrate { work.willMigrate = run } else { work.didMigrate = run }
        }
        works[place] = work
    }
    return Diagnosed(works, diagnostics)
}

private func readMap(_ path: String) -> Diagnosed<StageMap> {
    guard ["xcmappingmodel", "cdm"].contains(fileURL(path).pathExtension) else {
        let text = readText(path)
        guard !text.hasErrors else { return Diagnosed(StageMap(), text.diagnostics) }
        return readStageMap(text.value, path: path)
    }
    let source = readMappingModel(at: path)
    guard !source.hasErrors else { return Diagnosed(StageMap(), source.diagnostics) }
    let map = stageMap(of: source.value, path: path)
    return Diagnosed(map.value, source.diagnostics + map.diagnostics)
}

func readText(_ path: String) -> Diagnosed<String> {
    func fault(_ message: String) -> Diagnosed<String> {
        let place = SourceLocation(path: path)
        return Diagnosed("", [Diagnostic(.unreadableFile, message, at: place)])
    }
    do throws(FileFault) {
        let bytes = try readFile(path, limit: 16 << 20)
        return String(validating: bytes, as: UTF8.self).map { Diagnosed($0, []) }
            ?? fault("the file is no UTF-8")
    } catch {
        return fault(error.reason)
    }
}

private func readStages(at path: String) -> Diagnosed<StagesFile> {
    let text = readText(path)
    guard !text.hasErrors else { return Diagnosed(StagesFile(path: path), text.diagnostics) }
    return readStagesFile(text.value, path: path)
}

/// The stages of a case with everything that they name.
struct CaseStages {
    var manager: StagedMigrationManager
    var works: [Int: CustomStageWork]
    /// What is wrong with the list, or with what it names; a line each.
    var faults: [String]

    init(_ stages: CaseFile.Stages, of migrationCase: MigrationCase, in bundle: ModelBundle) {
        let file: Diagnosed<StagesFile> =
            switch stages {
            case .list(let list): list
            case .file(let path): readStages(at: migrationCase.url(of: path).path)
            }
        let url = fileURL(file.value.path)
        manager = file.value.manager { bundle.version(named: $0.name) }
        let works = stageWorks(of: file.value, in: url.deletingLastPathComponent())
        self.works = works.value
        let reading = file.diagnostics + works.diagnostics
        let findings = manager.findings(versions: bundle.versions).map { finding in
            let place = finding.stage.map { file.value.stages[$0].location }
            return finding.diagnostic(at: place ?? SourceLocation(path: url.path))
        }
        faults = (reading + findings).filter { $0.severity == .error }.map(\.description)
    }
}
