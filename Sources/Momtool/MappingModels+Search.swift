import Essentials
import FileSystem
import ModelLoading
import ObjectModel

extension MappingModels {
    /// Finds the mapping models of the project around a model: those below its repository, else below its folder.
    ///
    /// What cannot be read is left out.
    package init(around model: String) {
        var root = parent(of: resolvedPath(model))
        var folder = root
        for _ in 0..<8 where folder != "/" {
            if FileIdentity(of: folder + "/.git") != nil {
                root = folder
                break
            }
            folder = parent(of: folder)
        }
        let readable = mappingFiles(at: root).filter { !readMappingModel(at: $0).hasErrors }
        self = (try? MappingModels(at: readable)) ?? MappingModels()
    }

    /// The path of the mapping model that is for a step; `nil` when there is none.
    package func path(from source: ModelVersion, to destination: ModelVersion) -> String? {
        fitting(from: source, to: destination)?.path
    }

    /// The migration policies of the mapping model that is for a step, which only the code of the app knows.
    package func policies(
        from source: ModelVersion,
        to destination: ModelVersion
    ) -> [String] {
        let mappings = fitting(from: source, to: destination)?.source.entityMappings ?? []
        return Set(mappings.compactMap(\.customPolicyClassName)).sorted()
    }
}
