import Diagnostics
import Foundation
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

/// Compares models of Xcode 3 with what Apple's tools made of them.
@Suite(.enabled(if: Evidence.has("xcode3/expected.json")))
struct LegacyEvidenceTests {
    struct Expected: Decodable {
        var model: String
        var kind: String
        var truth: String
        var entities: [String: String]
    }

    static let expected: [Expected] = {
        let url = Evidence.folder.appending(path: "xcode3/expected.json")
        let bytes = (try? Data(contentsOf: url)) ?? Data()
        return (try? JSONDecoder().decode([Expected].self, from: bytes)) ?? []
    }()

    static func version(_ path: String) throws -> ModelVersion {
        let read = readModelBundle(at: Evidence.path("xcode3/" + path))
        #expect(!read.hasErrors, "\(path): \(read.diagnostics)")
        return try #require(read.value.versions.first)
    }

    @Test func `entity hashes are those of stores, compiled models and conversions`() throws {
        var hashes = 0
        for expected in Self.expected {
            let version = try Self.version(expected.model)
            #expect(!version.model.entities.isEmpty)
            for (entity, hash) in expected.entities {
                #expect(version.hashes.entities[entity]?.hex == hash, "\(expected.model) \(entity)")
                hashes += 1
            }
        }
        print("models of Xcode 3: \(Self.expected.count), entity hashes: \(hashes)")
        #expect(Self.expected.count >= 9)
        #expect(hashes >= 29)
    }

    @Test func `what is written is what Xcode wrote when it converted the model`() throws {
        let converted = Self.expected.filter { $0.kind == "contents" }
        for expected in converted {
            let written = modelContents(of: try Self.version(expected.model).model)
            #expect(written.diagnostics.isEmpty, "\(written.diagnostics)")
            let truth = try String(
                contentsOfFile: Evidence.path("xcode3/\(expected.truth)/contents"),
                encoding: .utf8
            )
            let (ours, theirs) = (Self.withoutTools(written.value), Self.withoutTools(truth))
            let different = zip(ours, theirs).filter { $0 != $1 }
            let edits = Self.edits.filter { expected.model.hasPrefix($0.repository) }
            #expect(ours.count == theirs.count)
            #expect(different.map(\.1.trimmed) == edits.map(\.line), "\(different)")
        }
        #expect(converted.count >= 2)
    }

    /// Other changes of the commits that converted models.
    private static let edits = [
        (
            repository: "MIT-Mobile",
            line:
                #"<relationship name="contents" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="MapPlaceContent" inverseName="building" inverseEntity="MapPlaceContent" indexed="YES"/>"#
        ),
        (
            repository: "MIT-Mobile",
            line:
                #"<attribute name="url" optional="YES" attributeType="Transformable" valueTransformerName=""/>"#
        ),
    ]

    /// What does not depend on the version of Xcode: not the tools' versions, not the diagram, and not the marks of
    /// Sync Services, which Xcode has left out of properties since version 11.
    private static func withoutTools(_ text: String) -> [String] {
        let lines = text.components(separatedBy: "\n").filter {
            !$0.contains("<model ") && !$0.contains("<elements>") && !$0.contains("</elements>")
                && !$0.contains("<element ")
        }
        return lines.map { line in
            // Xcode up to 5 wrote this character as it is.
            let line = line.replacing("&gt;", with: ">")
            return line.contains("<entity ") ? line : line.replacing(#" syncable="YES""#, with: "")
        }
    }

    @Test func `what is compiled is what Xcode compiled`() throws {
        let compiled = Self.expected.filter { $0.kind == "mom" }
        for expected in compiled {
            let model = try Self.version(expected.model).model
            let url = Evidence.folder.appending(path: "xcode3/" + expected.truth)
            let theirs = readCompiledModel(try Data(contentsOf: url), path: expected.truth).value
            let archive = compileModel(model).value
            let ours = readCompiledModel(archive.binaryData, path: expected.model).value
            #expect(ours.entities.map(\.name) == theirs.entities.map(\.name))
            for (own, other) in zip(ours.entities, theirs.entities) {
                #expect(Self.comparable(own) == Self.comparable(other), "\(own.name)")
            }
        }
        #expect(compiled.count >= 2)
    }

    /// Old compilers do not record the index of a relationship, write 10 as 1 with an exponent, and take the time of a
    /// date in the time zone of their Mac.
    private static func comparable(_ entity: Entity) -> Entity {
        var entity = entity
        for index in entity.relationships.indices { entity.relationships[index].isIndexed = false }
        for index in entity.attributes.indices {
            switch entity.attributes[index].defaultValue {
            case .date(let seconds):
                let day = (seconds / 86_400).rounded(.down) * 86_400
                entity.attributes[index].defaultValue = .date(day)
            case .decimal(let number):
                entity.attributes[index].defaultValue = .string("\(number)")
            default: break
            }
        }
        return entity
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
