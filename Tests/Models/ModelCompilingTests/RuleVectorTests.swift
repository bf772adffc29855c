import Diagnostics
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

/// Compares archives with those that another implementation of the same rules gives (`Fixtures/Vectors`).
struct RuleVectorTests {
    @Test(arguments: Vectors.names)
    func `a source compiles to the graph of the vector`(name: String) throws {
        let model = readModel(contents: try Vectors.source(name), path: name).value
        let compiled = compileModel(model, options: CompilerOptions())
        #expect(compiled.diagnostics == [])
        let expected = try KeyedArchive(try Vectors.archive(name))
        #expect(GraphComparison.differences(compiled.value, expected) == [])
    }

    @Test(arguments: Vectors.names)
    func `the archive of the vector is read as the model that it was made of`(name: String) throws {
        let source = readModel(contents: try Vectors.source(name), path: name).value
        let read = readCompiledModel(try Vectors.archive(name), path: name)
        #expect(read.diagnostics == [])
        #expect(versionHashes(of: read.value) == versionHashes(of: source))
        let again = compileModel(read.value, options: CompilerOptions())
        let expected = try KeyedArchive(try Vectors.archive(name))
        #expect(GraphComparison.differences(again.value, expected) == [])
    }

    @Test func `the vectors have everything that has a key of its own in an archive`() throws {
        let models = try Vectors.names.map {
            readModel(contents: try Vectors.source($0), path: $0).value
        }
        let entities = models.flatMap(\.entities)
        let attributes = entities.flatMap(\.attributes)
        for flag in PropertyFlag.allCases where flag != .cloudEncryption {
            #expect(attributes.contains { $0.flags[flag] }, "\(flag)")
        }
        let kinds = attributes.compactMap(\.defaultValue).compactMap {
            Mirror(reflecting: $0).children.first?.label
        }
        #expect(Set(kinds).count == 7)
        #expect(attributes.contains { !$0.validation.isEmpty })
        #expect(
            attributes.contains { !$0.userInfo.isEmpty }
                && entities.contains { !$0.userInfo.isEmpty }
        )
        #expect(attributes.contains { $0.renamingIdentifier != nil })
        #expect(entities.contains { $0.renamingIdentifier != nil && $0.className != nil })
        #expect(entities.contains { $0.className == nil })
        #expect(entities.contains { !$0.fetchedProperties.isEmpty })
        let indexes = entities.flatMap(\.fetchIndexes)
        #expect(Set(indexes.flatMap(\.elements).map(\.isAscending)).count == 2)
        #expect(indexes.contains { $0.elements.count == 2 })
        #expect(models.contains { $0.configurations.count == 2 })
        #expect(models.contains { $0.fetchRequestTemplates.count == 2 })
        #expect(Set(models.flatMap(\.versionIdentifiers)).count >= 3)
    }
}
