import Diagnostics
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct VersionOrderTests {
    @Test func `versions are ordered by number, whatever stands between`() {
        let names = ["V 23", "V2", "V_3", "V1.10", "V1.9", "V10", "v4", "Model", "V01"]
        #expect(
            VersionOrder(bundleName: "Model").sorted(names.reversed())
                == ["Model", "V01", "V1.9", "V1.10", "V2", "V_3", "v4", "V10", "V 23"]
        )
    }

    @Test func `the version named like its bundle comes first`() {
        #expect(VersionOrder(bundleName: "B").sorted(["A 2", "B", "A"]) == ["B", "A", "A 2"])
        #expect(VersionOrder(bundleName: nil).sorted(["A 2", "B", "A"]) == ["A", "A 2", "B"])
    }

    @Test func `names that differ in more than numbers claim no order`() {
        let order = VersionOrder(bundleName: "App")
        #expect(order.isKnown(between: "App 2", and: "App 10"))
        #expect(order.isKnown(between: "App", and: "Other 2"))
        #expect(order.isKnown(between: "App_2", and: "App 3"))
        #expect(!order.isKnown(between: "Draft 2", and: "Other 3"))
    }

    private func arranged(
        _ names: [String],
        of bundle: String,
        current: String?,
        locked: [String] = []
    ) -> ModelBundle {
        let versions = VersionOrder(bundleName: bundle).sorted(names).enumerated().map {
            ModelVersion(name: $1, place: $0, isCurrent: $1 == current, model: ManagedObjectModel())
        }
        return ModelBundle(path: "\(bundle).xcdatamodeld", versions: versions)
            .arranged(locked: locked)
    }

    @Test func `the current version is the newest where names tell no order`() {
        let notes = arranged(["Notes", "NotesV1"], of: "Notes", current: "Notes")
        #expect(notes.versions.map(\.name) == ["NotesV1", "Notes"])
        #expect(notes.versions.map(\.place) == [0, 1])
        #expect(!notes.tellsOrder(of: "NotesV1", and: "Notes"))
        let names = ["Part", "Folio 1", "Folio 2", "Part 2"]
        let folio = arranged(names, of: "Part", current: "Folio 2")
        #expect(folio.versions.map(\.name) == ["Part", "Part 2", "Folio 1", "Folio 2"])
    }

    @Test func `numbers tell the order, and yet nothing is newer than the current version`() {
        let rolledBack = arranged(["M", "M 2", "M 3"], of: "M", current: "M 2")
        #expect(rolledBack.versions.map(\.name) == ["M", "M 2", "M 3"])
        #expect(!rolledBack.tellsOrder(of: "M 3", and: "M 2"))
        #expect(rolledBack.tellsOrder(of: "M 3", and: "M"))
    }

    @Test func `the order of a lock counts before names and before the current version`() {
        let names = ["Notes", "NotesV1", "NotesV2"]
        let frozen = ["NotesV1", "Notes"]
        let bundle = arranged(names, of: "Notes", current: "NotesV1", locked: frozen)
        #expect(bundle.versions.map(\.name) == ["NotesV1", "Notes", "NotesV2"])
        #expect(bundle.tellsOrder(of: "Notes", and: "NotesV1"))
        // One without an entry in the lock keeps the place of its name.
        let one = arranged(names, of: "Notes", current: "NotesV2", locked: ["NotesV1", "Gone"])
        #expect(one.versions.map(\.name) == names)
    }

    @Test func `what no lock knows is newer than what shipped, unless its number says otherwise`() {
        func order(_ names: [String], current: String?, _ locked: [String]) -> [String] {
            arranged(names, of: "S", current: current, locked: locked).versions.map(\.name)
        }
        let shipped = ["P", "A 1", "A 2"]
        #expect(order(["P", "A 1", "A 2", "A 3"], current: "A 3", shipped) == shipped + ["A 3"])
        // A merge brings several; the current version is the last of them whatever the others are called.
        #expect(
            order(["P", "A 1", "A 2", "A 3", "Q", "B"], current: "A 3", shipped)
                == shipped + ["B", "Q", "A 3"]
        )
        #expect(
            order(["P", "A 1", "A 2", "A 3", "A 4"], current: "A 4", shipped)
                == shipped + ["A 3", "A 4"]
        )
        // Of another family than the newest shipped one.
        let folio = ["F 1", "P 1", "P 2"]
        #expect(order(folio + ["F 2"], current: "F 2", folio) == folio + ["F 2"])
        #expect(order(folio + ["F 2"], current: "P 2", folio) == folio + ["F 2"])
        // The lock has lost the block of one, or the number is a bad choice.
        #expect(order(["V1", "V2", "V3"], current: "V3", ["V1", "V3"]) == ["V1", "V2", "V3"])
        #expect(
            order(["V1", "V3", "V4", "V10"], current: "V4", ["V1", "V10"])
                == ["V1", "V3", "V4", "V10"]
        )
        #expect(order(["S", "V1", "V2"], current: "V2", ["V1", "V2"]) == ["S", "V1", "V2"])
        #expect(order(["S", "V1", "V2"], current: "S", ["V1", "V2"]) == ["V1", "V2", "S"])
    }

    @Test func `numbers of any length are compared`() {
        let names = [
            "V" + String(repeating: "9", count: 40), "V1" + String(repeating: "0", count: 40),
        ]
        #expect(VersionOrder(bundleName: nil).sorted(names.reversed()) == names)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `real versions come in the order of their numbers`() throws {
        let path = try #require(
            Corpus.paths { $0.hasSuffix("SubstrateDataModel.xcdatamodeld") }.first
        )
        let names = readModelBundle(at: Corpus.path(path)).value.versions.map(\.name)
        #expect(names == ["SubstrateDataModel"] + (2...39).map { "SubstrateDataModel\($0)" })
    }
}
