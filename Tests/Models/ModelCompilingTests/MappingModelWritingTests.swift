import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import ModelLoading
import ObjectModel
import PropertyLists
import Testing
import TestSupport

/// What is written for mapping models, beside what Xcode wrote.
struct MappingModelWritingTests {
    /// A mapping model of the corpus with the versions that it embeds, where both are still there.
    private struct Item {
        var path: String
        var text: String
        var source: MappingModelSource
        var old: ManagedObjectModel
        var new: ManagedObjectModel
    }

    private func items() throws -> [Item] {
        try Corpus.paths { $0.hasSuffix("/xcmapping.xml") }.compactMap { path in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let source = readMappingModel(bytes, path: path).value
            guard let old = model(source.sourceModelPath, near: path),
                let new = model(source.destinationModelPath, near: path)
            else { return nil }
            guard bytes.count < 600_000 else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return Item(path: path, text: text, source: source, old: old, new: new)
        }
    }

    /// The version at the path that a mapping model names, below the repository that holds it.
    private func model(_ named: String?, near path: String) -> ManagedObjectModel? {
        let end = (named ?? "").split(separator: "/").suffix(2).joined(separator: "/")
        let repository = path.prefix { $0 != "/" } + "/"
        let found = Corpus.paths { $0.hasPrefix(repository) && $0.hasSuffix("/" + end) }
        guard found.count == 1, let place = found.first else { return nil }
        return readModelBundle(at: Corpus.path(place)).value.versions.first?.model
    }

    /// The archive that a written file embeds under a key.
    private func archive(_ key: String, in text: String) throws -> KeyedArchive {
        let start = try #require(text.range(of: "name=\"\(key)\" type=\"binary\">"))
        let end = try #require(text[start.upperBound...].range(of: "<"))
        let digits = text[start.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
        return try KeyedArchive(try #require(Data(base64Encoded: String(digits))))
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `the embedded models are those that Xcode embeds`() throws {
        var (equal, compared) = (0, 0)
        for item in try items() {
            let written = mappingModelText(of: item.source, from: item.old, to: item.new)
            for key in ["sourcemodeldata", "destinationmodeldata"] {
                let differences = GraphComparison.differences(
                    try archive(key, in: written),
                    try archive(key, in: item.text),
                    comparingIdentity: false
                ).filter { !$0.contains("_uniqueElementID") && !$0.contains("_xd_modelManager") }
                compared += 1
                if differences.isEmpty { equal += 1 }
                // The others were edited after the mapping was made, or come from versions of Xcode that knew no
                // constraints or wrote 0.0 as 0.
                #expect(differences.count <= 19, "\(item.path), \(key): \(differences)")
            }
        }
        #expect(equal >= 19 && compared >= 50, "\(equal) of \(compared)")
    }

    @Test func `objects that a filter leaves out are known`() {
        let text = """
            <database><object type="XDDEVMAPPINGMODEL" id="z1"><relationship name="entitymappings" idrefs="z2"/></object>
            <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcefilterpredicatestring">FILTER</attribute>
            <attribute name="sourcename">Book</attribute><attribute name="destinationname">Book</attribute></object></database>
            """
        func read(_ filter: String) -> Diagnosed<MappingModelSource> {
            readMappingModel(Data(text.replacing("FILTER", with: filter).utf8), path: "x.xml")
        }
        let known = read("pages \\u3c00 10 AND title != nil")
        #expect(known.diagnostics == [])
        let filter = known.value.entityMappings.first?.sourcePredicate?.description
        #expect(filter == "pages < 10 AND title != nil")
        #expect(read("TRUEPREDICATE").value.entityMappings.first?.sourcePredicate == nil)
        #expect(read("pages ==").diagnostics.map(\.rule) == [.unreadableMappingValue])
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `what is written is read back`() throws {
        let items = try items()
        #expect(items.count >= 20)
        for item in items {
            let text = mappingModelText(of: item.source, from: item.old, to: item.new)
            let again = readMappingModel(Data(text.utf8), path: item.path)
            #expect(again.diagnostics == [], "\(item.path)")
            #expect(again.value == item.source, "\(item.path)")
            #expect(mappingModelText(of: again.value, from: item.old, to: item.new) == text)
        }
    }
}
