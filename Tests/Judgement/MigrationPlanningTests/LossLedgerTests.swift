import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ModelDiffing
import ModelLoading
import ObjectModel
import Testing

private func version(_ name: String, _ body: String) -> ModelVersion {
    let text = "<model>\n\(body)\n</model>"
    let model = readModel(contents: Data(text.utf8), path: name).value
    return ModelVersion(name: name, path: name, model: model)
}

private func text(_ name: String, _ identifier: String = "") -> String {
    let old = identifier.isEmpty ? "" : " elementID='\(identifier)'"
    return "<attribute name='\(name)' optional='YES' attributeType='String'\(old)/>"
}

struct LossLedgerTests {
    private let versions = [
        version("V1", "<entity name='Stop'>\(text("label"))\(text("note"))</entity>"),
        version(
            "V2",
            "<entity name='Place' elementID='Stop'>\(text("caption", "label"))\(text("note"))</entity>"
        ),
        version("V3", "<entity name='Place' elementID='Stop'>\(text("note"))</entity>"),
        version("V4", "<entity name='Place' elementID='Stop'/>"),
    ]

    @Test func `a name counts from older versions by the names that it had there`() {
        let named: [String: LossAgreement] = ["V3": ["Place.caption"]]
        let ledger = LossLedger(versions: versions, named: named)
        let first = ledger.agreement(from: versions[0], to: versions[2])
        #expect(first.covers(["Stop.label"]))
        #expect(!first.covers(["Stop.note"]))
        #expect(ledger.agreement(from: versions[1], to: versions[3]).covers(["Place.caption"]))
        // A step that is not taken agrees to nothing.
        #expect(ledger.agreement(from: versions[2], to: versions[3]) == .none)
        #expect(ledger.agreement(from: versions[3], to: versions[0]) == .none)
    }

    @Test
    func `what all steps may lose is added, and a step that may lose all knows what it loses`() {
        let ledger = LossLedger(versions: versions, always: ["Extra"], named: ["V4": .all])
        let all = ledger.agreements(to: versions[3])
        #expect(all.count == 3)
        #expect(all[0].covers(["Stop.note"]) && all[0].covers(["Extra"]))
        #expect(!all[0].covers(["Stop.label"]))
        let every = LossLedger(versions: versions, always: .all)
        #expect(every.agreement(from: versions[0], to: versions[3]) == .all)
    }

    @Test func `the name of an entity that goes is not that of the one that takes it`() {
        let old = version(
            "V1",
            "<entity name='Stop'>\(text("note"))</entity><entity name='Place'>\(text("size"))</entity>"
        )
        let new = version("V2", "<entity name='Place' elementID='Stop'>\(text("note"))</entity>")
        let last = version("V3", "<entity name='Place' elementID='Stop'/>")
        let ledger = LossLedger(versions: [old, new, last], named: ["V2": ["Place"]])
        #expect(ledger.agreement(from: old, to: new).covers(["Place"]))
        #expect(!ledger.agreement(from: old, to: last).covers(["Stop.note"]))
    }

    @Test func `the name of a property that goes is not that of the one that takes it`() {
        let old = version("V1", "<entity name='Stop'>\(text("label"))\(text("note"))</entity>")
        let new = version("V2", "<entity name='Stop'>\(text("note", "label"))</entity>")
        let last = version("V3", "<entity name='Stop'/>")
        let ledger = LossLedger(versions: [old, new, last], named: ["V2": ["Stop.note"]])
        #expect(ledger.agreement(from: old, to: new).covers(["Stop.note"]))
        #expect(!ledger.agreement(from: old, to: last).covers(["Stop.label"]))
    }

    @Test func `what becomes mandatory is named by its new name`() {
        let needed = version(
            "V2",
            "<entity name='Stop'><attribute name='code' attributeType='String' elementID='label'/>\(text("note"))</entity>"
        )
        let later = version(
            "V3",
            "<entity name='Stop'><attribute name='key' attributeType='String' elementID='label'/>\(text("note"))</entity>"
        )
        let ledger = LossLedger(
            versions: [versions[0], needed, later],
            named: ["V2": ["Stop.code"]]
        )
        let agreement = ledger.agreement(from: versions[0], to: later)
        #expect(agreement.covers(["Stop.key"]) && agreement.covers(["Stop.label"]))
        #expect(stepLosses(from: versions[0], to: needed).map(\.name) == ["Stop.code"])
        #expect(stepLosses(from: versions[0], to: needed).map(\.kind) == [.required])
    }

    @Test func `a cause is one loss, with what goes along with it`() {
        func link(_ name: String, _ to: String, _ inverse: String, _ many: Bool = false) -> String {
            "<relationship name='\(name)' optional='YES' \(many ? "toMany='YES'" : "maxCount='1'") "
                + "destinationEntity='\(to)' inverseName='\(inverse)' inverseEntity='\(to)'/>"
        }
        let old = version(
            "V1",
            """
            <entity name='Stop'>\(link("notices", "Notice", "stop", true))\(link("line", "Line", "stops"))</entity>
            <entity name='Notice'>\(link("stop", "Stop", "notices"))</entity>
            <entity name='Line'>\(link("stops", "Stop", "line", true))</entity>
            """
        )
        let new = version("V2", "<entity name='Stop'/><entity name='Line'/>")
        let found = stepLosses(from: old, to: new)
        #expect(Set(found.map(\.name)) == ["Notice", "Line.stops"])
        #expect(found.first { $0.name == "Notice" }?.consequences == ["Stop.notices"])
        #expect(found.first { $0.name == "Line.stops" }?.names.contains("Stop.line") == true)
        let ledger = LossLedger(versions: [old, new], named: ["V2": ["Notice"]])
        #expect(ledger.agreement(from: old, to: new).covers(["Stop.notices"]))
        #expect(ledger.unnamed(found, into: "V2").map(\.name) == ["Line.stops"])
    }

    @Test(arguments: [false, true])
    func `links to a removed abstract entity are lost by themselves where its objects stay`(
        isRemoved: Bool
    ) {
        let link =
            "<relationship name='pet' optional='YES' maxCount='1' destinationEntity='Pet' "
            + "inverseName='owner' inverseEntity='Pet'/>"
        let back =
            "<relationship name='owner' optional='YES' maxCount='1' destinationEntity='Person' "
            + "inverseName='pet' inverseEntity='Person'/>"
        let old = version(
            "V1",
            "<entity name='Person'>\(link)</entity><entity name='Pet' isAbstract='YES'>\(back)</entity>"
                + "<entity name='Dog' parentEntity='Pet'/>"
        )
        let dog = isRemoved ? "" : "<entity name='Dog'/>"
        let found = stepLosses(from: old, to: version("V2", "<entity name='Person'/>" + dog))
        // The abstract entity itself is no loss: it has no objects of its own.
        #expect(!found.flatMap(\.names).contains("Pet"), "\(found.map(\.name))")
        guard isRemoved else {
            return #expect(found.flatMap(\.names).contains("Person.pet"), "\(found.map(\.name))")
        }
        #expect(found.map(\.name) == ["Dog"], "\(found.map(\.name))")
        #expect(found.first?.consequences.contains("Person.pet") == true)
    }
}
