package import Foundation

/// Models of this repository's own, with hashes and archives that `.ci/vectors.py` derives from the pages about formats.
///
/// They are part of the repository, unlike the corpus, so that `swift test` covers every rule wherever it runs.
package enum Vectors {
    /// What a model's hashes must be.
    package struct Expected: Decodable {
        /// The hash of each entity, in hexadecimal.
        package var entities: [String: String]
        /// The checksum of the model.
        package var checksum: String
        /// The digest that stores have.
        package var digest: String
    }

    private static let folder = Corpus.package.appending(path: "Fixtures/Vectors")

    /// The names of the models, sorted.
    package static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (files ?? []).filter { $0.hasSuffix(".xcdatamodel") }.sorted()
            .map { String($0.dropLast(".xcdatamodel".count)) }
    }()

    /// The bytes of a model's source.
    package static func source(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(name).xcdatamodel/contents"))
    }

    /// The bytes of the archive that the model compiles to, but for the order of its objects.
    package static func archive(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(name).mom"))
    }

    /// What the hashes of the model must be.
    package static func expected(_ name: String) throws -> Expected {
        let data = try Data(contentsOf: folder.appending(path: "\(name).json"))
        return try JSONDecoder().decode(Expected.self, from: data)
    }
}
