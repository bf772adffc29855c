import Diagnostics
import Foundation
import MappingInference
import ModelDiffing
import ModelLoading
import ObjectModel
import Testing

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

    /// A change of an entity's content, and the verdict with words of the ruling.
    static let changes: [(String, String, CloudKitVerdict, String)] = [
        ("", attribute("a", string), .accepted, "field 'CD_a' of 'CD_A' is new, STRING"),
        (
            "", attribute("a", string + " allowsCloudEncryption='YES'"), .accepted,
            "ENCRYPTED STRING"
        ),
        (
            "", attribute("a", "attributeType='String'"), .unsupported,
            "optional or to have a default"
        ),
        (
            "", attribute("a", "attributeType='String' defaultValueString=''"), .accepted,
            "'CD_a'"
        ),
        ("", attribute("a", string + " transient='YES'"), .noTrace, "the schema does not change"),
        (
            "", attribute("a", string + " derived='YES' derivationExpression='now()'"), .unknown,
            "derived attributes"
        ),
        (attribute("a", string), "", .refused, "'CD_a' of 'CD_A' stays"),
        (
            attribute("a", string), attribute("b", string + " elementID='a'"), .refused,
            "field 'CD_b' of 'CD_A' is new and empty"
        ),
        (
            attribute("a", "optional='YES' attributeType='Integer 16'"),
            attribute("a", "optional='YES' attributeType='Integer 64'"), .noTrace, "stays INT64"
        ),
        (
            attribute("a", "optional='YES' attributeType='UUID'"), attribute("a", string),
            .accepted,
            "'CD_a_ckAsset'"
        ),
        (
            attribute("a", "optional='YES' attributeType='Integer 16'"), attribute("a", string),
            .refused, "stays INT64, but the app would write STRING"
        ),
        (
            attribute("a", string), attribute("a", "attributeType='String'"), .unsupported,
            "optional or to have a default"
        ),
        (
            attribute("a", string), attribute("a", string + " allowsCloudEncryption='YES'"),
            .refused, "as it was deployed"
        ),
        (
            attribute("a", string), attribute("a", string + " transient='YES'"), .refused, "stays"
        ),
        ("", to("B", "optional='YES' " + many), .noTrace, "the schema does not change"),
        ("", to("C", "optional='YES' " + many), .accepted, "'CDMR'"),
        ("", to("C", "optional='YES' " + one), .accepted, "field 'CD_c' of 'CD_A' is new, STRING"),
        (
            "", to("C", "optional='YES' ordered='YES' " + many), .unsupported, "ordered"
        ),
        ("", to("C", one), .unsupported, "relationships to be optional"),
        (
            "", to("C", "optional='YES' maxCount='1' deletionRule='Deny'"), .unsupported, "Deny"
        ),
        (to("C", "optional='YES' " + one), "", .refused, "field 'CD_c' of 'CD_A' stays"),
        (
            to("C", "optional='YES' " + one), to("C", "optional='YES' " + many), .refused,
            "field 'CD_c' of 'CD_A' stays"
        ),
        (to("C", "optional='YES' " + many), "", .refused, "'CDMR' and its link records stay"),
    ]

    @Test(arguments: changes)
    func `a change of a mirrored entity is judged for CloudKit too`(
        _ old: String,
        _ new: String,
        _ verdict: CloudKitVerdict,
        _ words: String
    ) throws {
        let mapping = inferMapping(from: try Self.model(old), to: try Self.model(new))
        let rulings = mapping.judgements.compactMap(\.cloudKit)
        let said = rulings.contains { $0.verdict == verdict && $0.effect.contains(words) }
        #expect(said, "\(rulings.map(\.line))")
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
        func verdicts(_ from: ManagedObjectModel, _ to: ManagedObjectModel) -> [String] {
            inferMapping(from: from, to: to).judgements.compactMap { $0.cloudKit?.line }
        }
        #expect(verdicts(less, old).contains { $0.contains("record type 'CD_A' is new") })
        #expect(verdicts(old, less).contains { $0.contains("record type 'CD_A' keeps") })
        var renamed = old
        renamed.entities[0].name = "Z"
        renamed.entities[0].renamingIdentifier = "A"
        let words = verdicts(old, renamed)
        #expect(words.contains { $0.contains("'CD_Z' is new and empty in CloudKit; 'CD_A'") })
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
