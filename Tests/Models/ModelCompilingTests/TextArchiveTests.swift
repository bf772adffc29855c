import Diagnostics
import Foundation
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

struct TextArchiveTests {
    /// The text form writes the number of an object as a dictionary.
    private func text(_ list: PropertyList) -> String {
        func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        }
        switch list {
        case .dictionary(let values):
            let entries = values.sorted { $0.key < $1.key }.map {
                "<key>\(escaped($0.key))</key>" + text($0.value)
            }
            return "<dict>\(entries.joined())</dict>"
        case .array(let values): return "<array>\(values.map(text).joined())</array>"
        case .string(let value): return "<string>\(escaped(value))</string>"
        case .uid(let number): return "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
        case .boolean(let value): return value ? "<true/>" : "<false/>"
        case .data(let bytes): return "<data>\(bytes.base64EncodedString())</data>"
        case .integer(let number): return "<integer>\(number)</integer>"
        case .real64(let number): return "<real>\(number)</real>"
        default: return "<string>unknown</string>"
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a compiled model in the text form is read as in the binary one`() throws {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }.prefix(40)
        for path in paths {
            let source = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let model = readModel(contents: source, path: path).value
            let archive = compileModel(model).value
            let bytes = Data(
                "<?xml version=\"1.0\"?><plist version=\"1.0\">\(text(archive.propertyList))</plist>"
                    .utf8
            )
            let read = readCompiledModel(bytes, path: path)
            #expect(!read.hasErrors, "\(path)")
            #expect(versionHashes(of: read.value) == versionHashes(of: model), "\(path)")
        }
        #expect(paths.count == 40)
    }

    @Test func `a maximum of -1 comes back from archive and source`() throws {
        let model = ManagedObjectModel(entities: [
            Entity(
                name: "A",
                relationships: [
                    Relationship(name: "r", isToMany: true, maxCount: -1, destinationEntity: "A")
                ]
            )
        ])
        let archive = compileModel(model)
        #expect(!archive.hasErrors)
        let read = readCompiledModel(archive.value.binaryData, path: "A.mom")
        #expect(read.value.entities[0].relationships[0].maxCount == -1)
        #expect(read.value.entities[0].relationships[0].isToMany)
        let source = readModel(contents: Data(modelContents(of: read.value).value.utf8), path: "c")
        #expect(!source.hasErrors)
        #expect(source.value.entities[0].relationships[0].maxCount == -1)
        #expect(versionHashes(of: source.value) == versionHashes(of: model))
    }
}
