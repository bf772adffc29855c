import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

struct MappingModelTests {
    private func read(_ path: String) throws -> Diagnosed<MappingModelSource> {
        readMappingModel(try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path))), path: path)
    }

    private func model(_ path: String) -> ManagedObjectModel {
        readModelBundle(at: Corpus.path(path)).value.versions.first?.model ?? ManagedObjectModel()
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `every mapping model of the corpus is read without a finding`() throws {
        let paths = Corpus.paths { $0.hasSuffix("/xcmapping.xml") }
        var expressions = 0
        for path in paths {
            let mapping = try read(path)
            #expect(mapping.diagnostics == [], "\(path)")
            #expect(!mapping.value.entityMappings.isEmpty, "\(path)")
            let properties = mapping.value.entityMappings.flatMap {
                $0.attributes + $0.relationships
            }
            expressions += properties.count { $0.valueExpression != nil }
        }
        #expect(paths.count >= 22)
        #expect(expressions == 26)
    }

    /// Mapping models that hold more entity mappings than they own, and how many they own.
    @Test(
        .enabled(if: Corpus.isPresent),
        arguments: [
            ("LoopKit+LoopKit/LoopKit/Persistence/Modelv1v4", 6),
            ("apptentive+apptentive-ios/Apptentive/Apptentive/Model/ATDataModel v4 to v5", 7),
            (
                "novasamatech+nova-wallet-ios/novawallet/Common/Storage/MigrationMappings/SingleToMultiasset",
                1
            ),
        ]
    )
    func `what a mapping model no longer owns is left out`(path: String, count: Int) throws {
        let mapping = try read(path + ".xcmappingmodel/xcmapping.xml")
        #expect(mapping.diagnostics == [])
        #expect(mapping.value.entityMappings.count == count)
        let empty = ManagedObjectModel()
        let archive = compileMappingModel(mapping.value, from: empty, to: empty).value
        let mappings = archive.objects.filter {
            if case .instance(let object) = $0 {
                object.className == "NSEntityMapping"
            } else {
                false
            }
        }
        #expect(mappings.count == count)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a mapping model compiles to the graph that Xcode made of it`() throws {
        let folder = "alemar11+CoreDataPlus/Tests/Resources/SampleModel/"
        let mapping = try read(folder + "MappingModels/V2toV3.xcmappingmodel/xcmapping.xml").value
        let models = folder + "SampleModel.xcdatamodeld/"
        let compiled = compileMappingModel(
            mapping,
            from: model(models + "SampleModel2.xcdatamodel"),
            to: model(models + "SampleModel3.xcdatamodel")
        )
        #expect(compiled.diagnostics == [])
        let bytes = try Data(
            contentsOf: URL(fileURLWithPath: Corpus.path(folder + "Fixtures/V2toV3.cdm"))
        )
        let differences = GraphComparison.differences(
            compiled.value,
            try KeyedArchive(bytes),
            comparingIdentity: false
        )
        #expect(differences == [])
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `what a mapping notes is read, from a source and from what it compiles to`() throws {
        let folder = "hwaxxer+BookMigration/BookMigration/"
        for (path, version) in [("Model1_to_Model2", "2"), ("Model2_to_Model3", "3")] {
            let source = try read(folder + path + ".xcmappingmodel/xcmapping.xml").value
            let compiled = compileMappingModel(source, from: old, to: old).value
            for mappings in [
                source.entityMappings,
                readCompiledMappingModel(compiled.binaryData, path: "m.cdm").value.entityMappings,
            ] {
                let noted = mappings.filter { !$0.userInfo.isEmpty }
                #expect(noted.map(\.sourceName) == ["Book"])
                #expect(noted.map(\.userInfo) == [[.init(key: "modelVersion", value: version)]])
            }
        }
    }

    @Test func `notes that cannot be read are a warning`() {
        let text = """
            <database><object type="XDDEVMAPPINGMODEL" id="z1"><relationship name="entitymappings" idrefs="z2"/></object>
            <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="userinfodata">AAAA</attribute>
            <attribute name="sourcename">Book</attribute><attribute name="destinationname">Book</attribute></object></database>
            """
        let read = readMappingModel(Data(text.utf8), path: "x.xml")
        #expect(read.diagnostics.map(\.rule) == [.unreadableMappingValue])
        #expect(!read.hasErrors && read.value.entityMappings.count == 1)
    }

    /// A class name typed into the editor's field is a key path over `self`, which Apple's compiler copies.
    @Test func `an expression that is not understood is compiled as it is, and no step goes by it`()
    {
        var archiver = ModelArchiver(ManagedObjectModel(), options: CompilerOptions())
        let path = archiver.expression(.keyPath(.evaluatedObject, "Source"), .init(""))
        archiver.archive.top = ["root": .reference(path)]
        let text = """
            <database><object type="XDDEVMAPPINGMODEL" id="z1"><relationship name="entitymappings" idrefs="z2"/></object>
            <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="autogenerateexpression">0</attribute>
            <attribute name="sourceexpressiondata">\(archiver.archive.binaryData.base64EncodedString())</attribute>
            <attribute name="sourcename">Book</attribute><attribute name="destinationname">Book</attribute></object></database>
            """
        let read = readMappingModel(Data(text.utf8), path: "x.xml")
        #expect(read.diagnostics.map(\.rule) == [.unreadableMappingValue] && !read.hasErrors)
        let compiled = compileMappingModel(read.value, from: old, to: old)
        #expect(compiled.diagnostics == [])
        let again = readCompiledMappingModel(compiled.value.binaryData, path: "m.cdm")
        for mappings in [read.value, again.value] {
            #expect(mappings.entityMappings.map(\.unreadReasons.count) == [1])
        }
        let copied = compiled.value.objects.compactMap {
            object -> ModelLanguage.PredicateExpression? in
            guard case .instance(let mapping) = object, mapping.className == "NSEntityMapping",
                case .reference(let source)? = mapping.values["NSSourceExpression"]
            else { return nil }
            return decodedExpression(compiled.value, at: source)
        }
        #expect(copied == [.keyPath(.evaluatedObject, "Source")])
    }

    private let old = ManagedObjectModel([
        Entity("Book", [Attribute("title", .string)], relationships: [.one("author", "Author")]),
        Entity("Author", [Attribute("name", .string)]), Entity("Poet", parentEntity: "Author"),
        Entity("Shelf"),
    ])

    private func values(_ key: String, of source: MappingModelSource) -> [String: String] {
        let compiled = compileMappingModel(source, from: old, to: old)
        let archive = compiled.value
        var result: [String: String] = [:]
        for case .instance(let object) in archive.objects
        where object.className == "NSEntityMapping" {
            guard case .reference(let name) = object.values["NSMappingName"],
                case .plain(.string(let text)) = archive[name]
            else { continue }
            result[text] = object.values[key].map { "\($0)" }
        }
        return result
    }

    @Test func `the type follows from policy and sides`() {
        let source = MappingModelSource(entityMappings: [
            .init(sourceName: "Book", destinationName: "Book"),
            .init(sourceName: "Book", destinationName: "Author"),
            .init(sourceName: nil, destinationName: "Shelf"),
            .init(sourceName: "Shelf", destinationName: nil),
            .init(name: "own", sourceName: "Poet", destinationName: "Poet", policyClassName: "P"),
        ])
        let types = values("NSMappingType", of: source)
        let expected = ["BookToBook": 4, "BookToAuthor": 5, "own": 1]
        for (name, type) in expected {
            #expect(types[name] == "\(KeyedArchive.Value.plain(.integer(Int64(type))))", "\(name)")
        }
    }

    @Test func `an entity that a model does not have is an error`() {
        let source = MappingModelSource(entityMappings: [
            .init(sourceName: "Ghost", destinationName: "Book")
        ])
        let compiled = compileMappingModel(source, from: old, to: old)
        #expect(compiled.diagnostics.map(\.rule) == ["unknown-mapped-entity"])
    }

    static let faults = [
        "", "<model/>", "<database/>", "<database><object type='X' id='1'/></database>",
    ]

    @Test(arguments: faults)
    func `a file that is no mapping model is refused`(text: String) {
        #expect(readMappingModel(Data(text.utf8), path: "x.xml").hasErrors)
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
        // What is not understood is compiled as it is written, and no step goes by it.
        let unread = read("Source")
        #expect(unread.diagnostics.map(\.rule) == [.unreadableMappingValue] && !unread.hasErrors)
        let compiled = compileMappingModel(unread.value, from: old, to: old)
        #expect(compiled.diagnostics == [] && "\(compiled.value.objects)".contains("\"Source\""))
        let again = readCompiledMappingModel(compiled.value.binaryData, path: "m.cdm").value
        #expect(again.entityMappings.map(\.unreadReasons.count) == [1])
    }
}
