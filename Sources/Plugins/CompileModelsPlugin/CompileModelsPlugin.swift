import Foundation
import PackagePlugin

/// Compiles the models and mapping models of a target into its resource bundle.
///
/// Xcode and its package builds do so automatically; elsewhere SwiftPM leaves models as they are. The results are in the
/// bundle where `Bundle.module` looks for them: `Model.momd`, `Model.mom`, `Mapping.cdm`.
@main
struct CompileModelsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(macOS)
            return []
        #else
            guard let module = target.sourceModule else { return [] }
            // Built from source it has the name of its target, in an artifact bundle its own.
            let found =
                try (try? context.tool(named: "momtool")) ?? context.tool(named: "MomtoolProgram")
            let tool = found.url
            return try sources(below: module.directoryURL).map { source in
                let name = source.deletingPathExtension().lastPathComponent
                let result = context.pluginWorkDirectoryURL
                    .appending(path: "\(name).\(compiledExtension(of: source))")
                return .buildCommand(
                    displayName: "Compiling \(source.lastPathComponent)",
                    executable: tool,
                    arguments: [
                        "compile", source.path, "-o", result.path, "--module", module.moduleName,
                    ],
                    inputFiles: try files(below: source),
                    outputFiles: [result]
                )
            }
        #endif
    }

    private func compiledExtension(of source: URL) -> String {
        switch source.pathExtension {
        case "xcdatamodeld": "momd"
        case "xcdatamodel": "mom"
        default: "cdm"
        }
    }

    /// Returns the models below a folder, in order; one that lies in another is a version of it.
    private func sources(below folder: URL) throws -> [URL] {
        let items = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: [.isDirectoryKey],
            options: .skipsHiddenFiles
        )
        return try items.sorted { $0.path < $1.path }.flatMap { item -> [URL] in
            guard try item.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
                return []
            }
            return ["xcdatamodeld", "xcdatamodel", "xcmappingmodel"].contains(item.pathExtension)
                ? [item] : try sources(below: item)
        }
    }

    /// Returns every file of a model, including the one that names the current version.
    private func files(below folder: URL) throws -> [URL] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.sorted().map { folder.appending(path: $0) }.filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: $0.path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }
}
