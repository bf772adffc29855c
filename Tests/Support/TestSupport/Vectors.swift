package import Foundation

/// Models of this repository's own, with hashes and archives that `Tests/Python/vectors.py` derives from the pages about
/// formats.
///
/// They are part of the repository, unlike the corpus, so that `swift test` covers every rule wherever it runs.
package enum Vectors {
    package struct Expected: Decodable {
        package var entities: [String: String]
        package var checksum: String
        package var digest: String
    }

    private static let folder = Corpus.package.appending(path: "Fixtures/Vectors")

    package static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (files ?? []).filter { $0.hasSuffix(".xcdatamodel") }.sorted()
            .map { String($0.dropLast(".xcdatamodel".count)) }
    }()

    package static func source(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(name).xcdatamodel/contents"))
    }

    /// The archive that the model compiles to, apart from the order of its objects.
    package static func archive(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(name).mom"))
    }

    package static func expected(_ name: String) throws -> Expected {
        let data = try Data(contentsOf: folder.appending(path: "\(name).json"))
        return try JSONDecoder().decode(Expected.self, from: data)
    }
}
