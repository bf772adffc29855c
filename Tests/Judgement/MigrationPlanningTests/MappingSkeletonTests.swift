import MigrationPlanning
import ModelLanguage
import ObjectModel
import Testing

struct MappingSkeletonTests {
    private func version(_ name: String, _ entities: [Entity]) -> ModelVersion {
        ModelVersion(name: name, model: ManagedObjectModel(entities: entities))
    }

    private func author(renamedFrom old: String? = nil, _ name: String) -> Relationship {
        Relationship(
            name: name,
            maxCount: 1,
            destinationEntity: "Author",
            renamingIdentifier: old
        )
    }

    private var old: ModelVersion {
        version(
            "V1",
            [
                Entity(
                    name: "Book",
                    attributes: [
                        Attribute(name: "title", type: .string, isOptional: true),
                        Attribute(name: "year", type: .string, isOptional: true),
                    ],
                    relationships: [author("writer")]
                ),
                Entity(name: "Author", attributes: [Attribute(name: "name", type: .string)]),
            ]
        )
    }

    private var new: ModelVersion {
        var caption = Attribute(name: "caption", type: .string, isOptional: true)
        caption.renamingIdentifier = "title"
        return version(
            "V2",
            [
                Entity(
                    name: "Book",
                    attributes: [
                        caption, Attribute(name: "year", type: .binary, isOptional: true),
                    ],
                    relationships: [author(renamedFrom: "writer", "author")]
                ),
                Entity(name: "Author", attributes: [Attribute(name: "name", type: .string)]),
                Entity(name: "Shelf", attributes: [Attribute(name: "label", type: .string)]),
            ]
        )
    }

    @Test func `what is inferred is mapped, what is refused becomes a method of a policy`() {
        let skeleton = MappingSkeleton(from: old, to: new)
        let mappings = skeleton.mapping.entityMappings
        #expect(mappings.map(\.effectiveName) == ["AuthorToAuthor", "BookToBook", "Shelf"])
        #expect(mappings.map(\.policyClassName) == [nil, "BookV1ToV2Policy", nil])
        let book = mappings[1]
        #expect(book.attributes.map(\.name) == ["caption", "year"])
        #expect(book.attributes[0].valueExpression == .keyPath(.variable("source"), "title"))
        let call = book.attributes[1].valueExpression
        #expect(
            call
                == .function(
                    operand: .variable("entityPolicy"),
                    selector: "yearFrom:manager:",
                    arguments: [.variable("source"), .variable("manager")]
                )
        )
        #expect(book.relationships.map(\.sourceKeyPath) == ["$source.writer"])
        #expect(book.relationships.map(\.sourceMappingName) == ["AuthorToAuthor"])
        #expect(book.userInfo.map(\.key) == ["question 1"])
        #expect(skeleton.questions.map(\.property) == ["year"])
    }

    @Test(arguments: PolicyLanguage.allCases)
    func `a policy has one method for each question`(language: PolicyLanguage) {
        let sources = MappingSkeleton(from: old, to: new).policySources(language: language)
        let names = sources.map(\.name)
        switch language {
        case .swift:
            #expect(names == ["BookV1ToV2Policy.swift"])
            #expect(sources[0].text.contains("@objc(yearFrom:manager:)"))
        case .objectiveC:
            #expect(names == ["BookV1ToV2Policy.h", "BookV1ToV2Policy.m"])
            #expect(sources[1].text.contains("- (id)yearFrom:(NSManagedObject *)source"))
        }
    }
}
