import Foundation
import MappingInference
import TestSupport
import Testing
import ObjectModel

/// What each kind of risk means: whether Core Data fails, what is counted, and on what evidence.
struct RowRiskTests {
    typealias Row = (RowRisk.Kind, Bool, RowRisk.Unit, MappingInference.Evidence)

    static let rows: [Row] = [
        (.mandatoryWithoutDefault, true, .rows, .reported),
        (.nullInMandatoryAttribute, true, .rows, .reported),
        (.nullInMandatoryRelationship, true, .rows, .reported),
        (.newUniquenessConstraint([]), true, .rows, .reported),
        (.becomesAbstract, true, .rows, .inferred),
        (.toManyBecomesToOne, false, .links, .inferred),
        (.sharedDestination, false, .links, .inferred),
        (
            .destinationsOutOfReach(reachableEntities: [], isMandatory: true), true, .links,
            .inferred
        ),
        (
            .destinationsOutOfReach(reachableEntities: [], isMandatory: false), false, .links,
            .inferred
        ),
        (.narrowingConversion, false, .values, .inferred),
        (.orderLostInManyToMany, false, .links, .inferred),
        (.orderLost, false, .links, .inferred),
        (.tooManyLinks(most: 1), false, .rows, .inferred),
        (.removedEntity, false, .rows, .inferred),
        (.removedAttribute(.removed), false, .values, .inferred),
        (.removedRelationship, false, .links, .inferred),
        (.missingExternalFile, false, .values, .inferred),
        (.rowsOfNoEntity, false, .rows, .inferred),
        (.valuesOfOtherType(isExternal: false), true, .values, .inferred),
        (.wrongEntityNumbers, true, .links, .inferred),
        (.noKeysLeft(root: "A"), true, .rows, .inferred),
        (.linksToRemovedObjects, false, .links, .inferred),
        (.objectsLeftOut(by: .condition), false, .rows, .inferred),
        (.expressionLoss(.noMandatoryValue), true, .values, .inferred),
        (.expressionLoss(.divisionByZero), false, .values, .inferred),
        (.mergedObjects, false, .rows, .inferred),
        (
            .recordsOfRemovedObjects(table: "ACHANGE", isWholeEntity: true), false, .records,
            .inferred
        ),
        (foreign(.column), false, .values, .inferred),
        (foreign(.index), false, .schemaObjects, .inferred),
        (foreign(.trigger), false, .schemaObjects, .inferred),
        (foreign(.table), false, .schemaObjects, .inferred),
        (.derivationNotComputed(reason: ""), false, .rows, .inferred),
    ]

    private static func foreign(_ kind: RowRisk.ForeignKind) -> RowRisk.Kind {
        .foreignObject(kind, name: "x", table: "ZA", reason: "")
    }

    @Test(arguments: rows.indices)
    func `a kind of risk fails, or loses what is counted`(index: Int) {
        let (kind, isFatal, unit, evidence) = Self.rows[index]
        let risk = RowRisk(kind, of: "A")
        #expect(risk.isFatal == isFatal && risk.unit == unit, "\(kind)")
        #expect(risk.evidence == evidence, "\(kind)")
    }

    @Test func `a link that becomes mandatory is a guess where there was one`() {
        let property = PropertyReference(entity: "A", name: "b")
        let risk = RowRisk(.nullInMandatoryRelationship, of: "A", property)
        #expect(risk.evidence == .unverified)
    }

    @Test func `every kind is in the table`() throws {
        let path = "Sources/Judgement/MappingInference/RowRisk.swift"
        let text = try fileText(Corpus.package.appending(path: path))
        let body = try #require(text.components(separatedBy: "package let kind: Kind").first)
        let count = body.split(separator: "\n").count { $0.hasPrefix("        case ") }
        let labels = Self.rows.map { row in
            Mirror(reflecting: row.0).children.first?.label ?? "\(row.0)"
        }
        #expect(Set(labels).count == count)
    }
}
