import Foundation
import TestSupport
import Testing

/// The walk of the page "The first hour", step by step.
struct FirstHourTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
                <attribute name="title" optional="YES" attributeType="String"/>
            </entity>
        </model>

        """

    @Test func `the commands of the page do what it says, one after the other`() throws {
        try withFolder { folder in
            try writeBundle(
                ["V1": Self.model],
                current: "V1",
                at: folder.appending(path: "Shop.xcdatamodeld")
            )
            let rows = "{\"Book\": [{\"title\": \"Emma\"}, {\"title\": \"Ulysses\"}]}"
            try Data(rows.utf8).write(to: folder.appending(path: "rows.json"))
            let create = ["create", "Shop.sqlite", "--model", "Shop.xcdatamodeld"]
            #expect(try momtool(create + ["--rows", "rows.json"], in: folder).status == 0)
            let lines = try guideBlocks("TheFirstHour.md", "sh")
                .flatMap { $0.split(separator: "\n").map(String.init) }
            #expect(lines.count == 11)
            var last = ""
            for line in lines {
                let words = line.split(separator: " ").dropFirst().map(String.init)
                let run = try momtool(words, in: folder)
                #expect(run.status == 0, "\(line): \(run.output)\(run.errors)")
                last = run.output
            }
            #expect(last.contains("rating"), "\(last)")
            #expect(!last.contains("title") && !last.contains("→ nothing"), "\(last)")
        }
    }
}
