import Diagnostics
package import Foundation

package enum FuzzVerdict: Sendable, Hashable {
    case accepted
    /// The input was refused, with the first message.
    case refused(String)
}

/// A reader of hostile input, with all that is done with the result.
///
/// It imports the modules that it feeds; processes, limits and files of findings belong to the `Fuzz` executable.
package struct FuzzTarget: Sendable {
    /// The name of the target and its folder in `Fixtures/Malformed`.
    package let name: String
    package let summary: String
    package let tokens: [String]
    let takes: @Sendable (_ path: String) -> Bool
    /// The size in bytes above which a file is left out: mutating large files finds little.
    let sizeLimit: Int
    /// Inputs to start from besides files, which are accepted.
    package let samples: @Sendable () -> [Data]
    package let run: @Sendable (Data) -> FuzzVerdict

    init(
        _ name: String,
        _ summary: String,
        tokens: [String] = [],
        takes: @escaping @Sendable (_ path: String) -> Bool = { _ in false },
        sizeLimit: Int = 60_000,
        samples: @escaping @Sendable () -> [Data],
        run: @escaping @Sendable (Data) -> FuzzVerdict
    ) {
        (self.name, self.summary, self.tokens, self.takes) = (name, summary, tokens, takes)
        (self.sizeLimit, self.samples, self.run) = (sizeLimit, samples, run)
    }

    init(
        _ name: String,
        _ summary: String,
        tokens: [String],
        takes: @escaping @Sendable (_ path: String) -> Bool = { _ in false },
        sample: @escaping @Sendable () -> String,
        read: @escaping @Sendable (String) -> [Diagnostic]
    ) {
        self.init(name, summary, tokens: tokens, takes: takes, samples: { [Data(sample().utf8)] }) {
            verdict(read(String(decoding: $0, as: UTF8.self)))
        }
    }

    package static let all: [FuzzTarget] = [
        .acceptanceReport, .cloudKitSchema, .compiledMapping, .compiledModel, .configuration,
        .editor, .houseRules, .legacyModel, .lock, .log, .mapFile, .mapping, .merge, .metadata,
        .model, .modelCache, .predicate, .project, .propertyList, .rows, .script, .stagesFile,
        .store, .swiftSources,
    ].sorted { $0.name < $1.name }

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    /// Returns inputs to start from: samples, then files below some folders, by path; the same for the same files.
    package func seeds(below folders: [URL]) -> [Data] {
        var seeds = samples()
        for folder in folders {
            guard let walker = FileManager.default.enumerator(atPath: folder.path) else { continue }
            var paths: [String] = []
            while let path = walker.nextObject() as? String {
                if path.hasPrefix(".") {
                    walker.skipDescendants()
                } else if takes(path) {
                    paths.append(path)
                }
            }
            for path in paths.sorted() {
                let file = folder.appending(path: path)
                guard let bytes = try? Data(contentsOf: file), bytes.count <= sizeLimit else {
                    continue
                }
                seeds.append(bytes)
            }
        }
        return seeds
    }
}
