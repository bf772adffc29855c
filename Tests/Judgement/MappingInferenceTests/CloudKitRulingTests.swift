import Diagnostics
import Foundation
import ModelDiffing
import ModelLoading
import ObjectModel
import Testing

@testable import MappingInference

struct CloudKitRulingTests {
    private static func model(_ body: String, _ rest: String = "") throws -> ManagedObjectModel {
        let text = """
            <model usedWithCloudKit="YES"><entity name="A" \(rest)>\(body)</entity>
            <entity name="B"><relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="A" inverseName="b" inverseEntity="A"/></entity>
            <entity name="C"><relationship name="a" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="A" inverseName="c" inverseEntity="A"/></entity></model>
            """
        let read = readModel(contents: Data(text.utf8), path: "V")
        return read.value
    }

    private static func attribute(_ name: String, _ rest: String) -> String {
        "<attribute name='\(name)' \(rest)/>"
    }

    private static func to(_ entity: String, _ rest: String) -> String {
        let name = entity.lowercased()
        return "<relationship name='\(name)' destinationEntity='\(entity)' inverseName='a' "
            + "inverseEntity='\(entity)' \(rest)/>"
    }

    private static let string = "optional='YES' attributeType='String'"
    private static let many = "toMany='YES' deletionRule='Nullify'"
    private static let one = "maxCount='1' deletionRule='Nullify'"

    /// A change of an entity's content, and the row of the table that decides it.
    static let changes: [(String, String, CloudKitRuling)] = [
        ("", attribute("a", string), .attributeAdded),
        (
            "", attribute("a", string + " allowsCloudEncryption='YES'"), .encryptedAttributeAdded
        ),
        (
            "", attribute("a", "attributeType='String'"), .mandatoryAttribute
        ),
        (
            "", attribute("a", "attributeType='String' defaultValueString=''"), .attributeAdded
        ),
        ("", attribute("a", string + " transient='YES'"), .noSchemaChange),
        (
            "", attribute("a", string + " derived='YES' derivationExpression='now()'"),
            .derivedAttribute
        ),
        (attribute("a", string), "", .attributeRemoved),
        (
            attribute("a", string), attribute("b", string + " elementID='a'"), .attributeRenamed
        ),
        (
            attribute("a", "optional='YES' attributeType='Integer 16'"),
            attribute("a", "optional='YES' attributeType='Integer 64'"), .attributeKept
        ),
        (
            attribute("a", "optional='YES' attributeType='UUID'"), attribute("a", string),
            .attributeGrows
        ),
        (
            attribute("a", "optional='YES' attributeType='Integer 16'"), attribute("a", string),
            .attributeRetyped
        ),
        (
            attribute("a", string), attribute("a", "attributeType='String'"), .mandatoryAttribute
        ),
        (
            attribute("a", string), attribute("a", string + " allowsCloudEncryption='YES'"),
            .encryptionChanged
        ),
        (
            attribute("a", string), attribute("a", string + " transient='YES'"), .attributeRemoved
        ),
        ("", to("B", "optional='YES' " + many), .noSchemaChange),
        ("", to("C", "optional='YES' " + many), .manyToManyAdded),
        ("", to("C", "optional='YES' " + one), .toOneAdded),
        (
            "", to("C", "optional='YES' ordered='YES' " + many), .orderedRelationship
        ),
        ("", to("C", one), .mandatoryRelationship),
        (
            "", to("C", "optional='YES' maxCount='1' deletionRule='Deny'"), .denyRule
        ),
        (to("C", "optional='YES' " + one), "", .toOneRemoved),
        (
            to("C", "optional='YES' " + one), to("C", "optional='YES' " + many), .toOneRemoved
        ),
        (to("C", "optional='YES' " + many), "", .manyToManyRemoved),
    ]

    @Test(arguments: changes)
    func `a change of a mirrored entity is judged for CloudKit too`(
        _ old: String,
        _ new: String,
        _ row: CloudKitRuling
    ) throws {
        let mapping = inferMapping(from: try Self.model(old), to: try Self.model(new))
        let rulings = mapping.judgements.compactMap(\.cloudKit)
        #expect(rulings.map(\.change).contains(row.change))
        #expect(rulings.allSatisfy { !$0.effect.contains("{") })
    }

    @Test func `entities are record types, and constraints are refused`() throws {
        let constraint = """
            <attribute name='a' optional='YES' attributeType='String'/><uniquenessConstraints>\
            <uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints>
            """
        let (old, new) = (
            try Self.model(Self.attribute("a", Self.string)), try Self.model(constraint)
        )
        let unique = inferMapping(from: old, to: new).judgements.compactMap(\.cloudKit)
        #expect(unique.map(\.verdict) == [.unsupported])
        var less = old
        less.entities.removeAll { $0.name == "A" }
        func rows(_ from: ManagedObjectModel, _ to: ManagedObjectModel) -> [String] {
            inferMapping(from: from, to: to).judgements.compactMap(\.cloudKit?.change)
        }
        #expect(rows(less, old).contains(CloudKitRuling.entityAdded.change))
        #expect(rows(old, less).contains(CloudKitRuling.entityRemoved.change))
        var renamed = old
        renamed.entities[0].name = "Z"
        renamed.entities[0].renamingIdentifier = "A"
        #expect(rows(old, renamed).contains(CloudKitRuling.entityRenamed.change))
    }

    @Test func `what is not mirrored has no verdict of CloudKit`() throws {
        var old = try Self.model("")
        var new = try Self.model(Self.attribute("a", Self.string))
        old.documentSettings = [:]
        new.documentSettings = [:]
        let mapping = inferMapping(from: old, to: new)
        #expect(mapping.judgements.count == 1)
        #expect(mapping.judgements.allSatisfy { $0.cloudKit == nil })
        new.configurations = [
            Configuration(name: "Cloud", memberEntities: ["B"], isUsedWithCloudKit: true)
        ]
        let other = inferMapping(from: old, to: new).judgements
        #expect(other.compactMap(\.cloudKit?.verdict) == [.accepted])
        #expect(other.first { $0.cloudKit != nil }?.change.subject.path == nil)
    }

    @Test func `the table has every row once, each with its evidence`() {
        let rows = CloudKitRuling.table
        #expect(Set(rows.map(\.change)).count == rows.count)
        for row in rows { #expect(row.evidence.isGuess == (row.seen == nil), "\(row.change)") }
    }
}
