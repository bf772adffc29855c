import CodeGeneration
import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat
import SwiftDataReading
import TestSupport
import Testing

@Suite(.enabled(if: readsSwiftSources))
struct SwiftDataRoundTripTests {
    private struct Trip {
        var text: String
        var diagnostics: [Diagnostic]
        var moved: Set<String>
        var complaints: [Diagnostic]
        var model: ManagedObjectModel

        init(
            _ model: ManagedObjectModel,
            _ shapes: SwiftShapes = SwiftShapes(),
            as name: String? = "Frozen",
            types: [String: ForeignType] = [:]
        ) throws {
            let frame = SwiftDataFrame(schemaName: name, identifier: [1, 2, 3], origin: "a model")
            let written = swiftDataClasses(of: model, in: frame, shapes: shapes)
            text = written.value
            diagnostics = written.diagnostics
            let source = SwiftSource(path: "F.swift", bytes: Array(text.utf8))
            let read = readSwiftModels([source], options: SwiftReadingOptions(types: types))
            complaints = read.diagnostics.filter { $0.severity == .error }
            let version = read.value.versions.first
            self.model = version?.model ?? ManagedObjectModel()
            let known = versionHashes(of: model).entities
            let hashes = versionHashes(of: self.model).entities
            let spoiled = version?.spoiledEntities ?? []
            moved = Set(
                known.keys.filter { known[$0] != hashes[$0] || spoiled.contains($0) }
            ).union(hashes.keys.filter { known[$0] == nil })
        }

        /// The entities reported as impossible in SwiftData.
        var inexpressible: Set<String> {
            Set(
                diagnostics.filter { $0.severity == .error }.compactMap {
                    $0.element?.split(separator: ".").first.map(String.init)
                }
            )
        }
    }

    @Test func `values of one name from structs in structs stay apart`() throws {
        let source = """
            @Model class T { var a: Outer }
            struct Outer { var x: Int; var first: Inner; var second: Middle }
            struct Middle { var x: Int; var others: String; var inner: Inner }
            struct Inner { var x: Int; var y: Double? }
            """
        let read = readSwiftModels([SwiftSource(path: "M.swift", bytes: Array(source.utf8))])
        let model = try #require(read.value.versions.first?.model)
        let trip = try Trip(model)
        #expect(trip.moved == [] && trip.complaints == [], "\(trip.text)")
        #expect(trip.text.contains("struct Others3"))
    }

    @Test(arguments: [
        ("a: Mood = Mood.good", "Mood.good"), ("a: Mood? = .bad", "Mood.bad"),
        ("a: T.Size = Size.small", "Size.small"), ("a: [String] = [\"x\"]", "[\"x\"]"),
        ("a: [Mood] = []", "[]"), ("a = UUID().uuidString", "UUID().uuidString"),
        ("a: Date = Date(timeIntervalSinceNow: 60) + 5", "Date(timeIntervalSinceNow: 60) + 5"),
        ("a: Mood = Mood.usual", ""), ("a: String = name()", "\"\""),
        ("a: Date = Days.first()", ""),
    ])
    func `first values are kept where no other code decides them`(
        member: String,
        value: String
    ) throws {
        let source = """
            enum Mood: String, Codable { case good, bad; static let usual = Mood.good }
            @Model class T { enum Size: Int, Codable { case small }; var \(member) }
            """
        let read = readSwiftModels([SwiftSource(path: "M.swift", bytes: Array(source.utf8))])
        let version = try #require(read.value.versions.first)
        let trip = try Trip(version.model, version.shapes)
        #expect(trip.moved == [] && trip.complaints == [], "\(trip.text)")
        let line = trip.text.split(separator: "\n").first { $0.contains("var a:") }
        #expect(line?.split(separator: " = ").dropFirst().joined() == value, "\(trip.text)")
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `sources of apps are frozen with the hashes that Apple wrote`() throws {
        let vectors = try Corpus.lines("swiftdata_vectors.jsonl", as: Vector.self)
        var entities = 0
        for group in Set(vectors.map { Group(repo: $0.repo, files: $0.files) }) {
            for version in try group.models().versions {
                let trip = try Trip(version.model, version.shapes)
                #expect(trip.moved == [], "\(group.repo) \(version.name): \(trip.complaints)")
                #expect(trip.inexpressible == [])
                entities += version.model.entities.count
                // Without the shapes, as from a store, all hashes are the same too.
                let bare = try Trip(version.model)
                #expect(bare.moved == [], "\(group.repo) \(version.name): \(bare.complaints)")
            }
        }
        #expect(entities >= 37)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `invented sources are frozen with their hashes`() throws {
        let predictions = try Corpus.lines("../spec/swiftdata-predicted.jsonl", as: Prediction.self)
        for prediction in predictions {
            let source = SwiftSource(path: "M.swift", bytes: Array(prediction.source.utf8))
            for version in readSwiftModels([source]).value.versions {
                for shapes in [version.shapes, SwiftShapes()] {
                    let trip = try Trip(version.model, shapes)
                    #expect(trip.moved == [], "\(prediction.case)\n\(trip.text)")
                    #expect(trip.complaints == [], "\(prediction.case)\n\(trip.text)")
                }
            }
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `the model in a store is frozen with its hashes`() throws {
        let vectors = try Corpus.lines("swiftdata_vectors.jsonl", as: Vector.self)
        let vector = try #require(vectors.first { $0.store != nil })
        let folder = vector.repo.replacing("/", with: "+")
        let store = try StoreFile(path: Corpus.path("\(folder)/\(try #require(vector.store))"))
        let archive = try #require(try store.modelArchive())
        let model = readCompiledModel(archive, path: store.path).value
        let trip = try Trip(model)
        #expect(trip.moved == [])
        #expect(trip.diagnostics == [])
        #expect(versionHashes(of: trip.model) == (try store.metadata().hashes))
        for entity in model.entities {
            let read = trip.model.entities.first { $0.name == entity.name }
            #expect(read?.uniquenessConstraints == entity.uniquenessConstraints)
            #expect(read?.fetchIndexes == entity.fetchIndexes)
            #expect(read?.relationships == entity.relationships)
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `what Core Data's models have and SwiftData lacks is named, and nothing else moves`()
        throws
    {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        #expect(paths.count > 50)
        var (equal, all) = (0, 0)
        for path in Sweep.part(of: paths, every: 2) {
            let folder = String(Corpus.path(path).dropLast("/contents".count))
            let bundle = readModelBundle(at: folder)
            guard !bundle.hasErrors, let version = bundle.value.versions.first else { continue }
            let trip = try Trip(version.model, as: nil)
            let refused = Set(
                trip.complaints.compactMap {
                    $0.element?.split(separator: ".").first.map(String.init)
                }
            )
            // The hash of a sub-entity holds that of its parent.
            let heirs = version.model.entities.filter { entity in
                entity.parentEntity.map(trip.moved.contains) == true
            }
            let unexplained = trip.moved.subtracting(trip.inexpressible).subtracting(refused)
                .subtracting(heirs.map(\.name))
            #expect(unexplained == [], "\(path)")
            // Nor is anything named that would have been possible.
            #expect(trip.inexpressible.subtracting(trip.moved) == [], "\(path)")
            all += version.model.entities.count
            equal += version.model.entities.count - trip.moved.count
        }
        #expect(Double(equal) > 0.5 * Double(all), "\(equal) of \(all)")
        print("\(equal) of \(all) entities of Core Data's models are SwiftData's too")
    }
}

extension SwiftDataRoundTripTests {
    struct Vector: Decodable {
        var repo: String
        var files: [String]
        var store: String?
    }

    struct Prediction: Decodable {
        var `case`: String
        var source: String
    }

    struct Group: Hashable {
        var repo: String
        var files: [String]

        func models() throws -> SwiftModels {
            let folder = repo.replacing("/", with: "+")
            let sources = try files.map { file in
                let data = try Data(contentsOf: Corpus.folder.appending(path: "\(folder)/\(file)"))
                return SwiftSource(path: file, bytes: Array(data))
            }
            return readSwiftModels(sources).value
        }
    }
}
