import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import Testing

struct ForeignSourceTests {
    private func read(_ body: String) -> Diagnosed<ManagedObjectModel> {
        readModel(contents: Data("<model>\n\(body)\n</model>".utf8), path: "contents")
    }

    /// Every attribute that Xcode writes into each element is known, and kept.
    @Test func `what Xcode writes is known`() throws {
        let document = [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
            "minimumToolsVersion", "sourceLanguage", "iOSVersion", "macOSVersion", "name",
            "usedWithCloudKit", "usedWithSwiftData",
        ]
        let entity = ["syncable", "codeGenerationType", "coreSpotlightDisplayNameExpression"]
        func written(_ names: [String]) -> String {
            names.map { "\($0)='YES'" }.joined(separator: " ")
        }
        let limits = "minValueString='1' maxValueString='3' defaultValueString='2'"
        let dates = "minDateTimeInterval='1' maxDateTimeInterval='3' defaultDateTimeInterval='2'"
        let text = """
            <model \(written(document)) userDefinedModelVersionIdentifier='i'>
            <entity name='A' \(written(entity))>
            <attribute name='n' attributeType='Integer 16' usesScalarValueType='YES' syncable='YES' \(limits)/>
            <attribute name='d' attributeType='Date' \(dates)/></entity></model>
            """
        let read = readModel(contents: Data(text.utf8), path: "contents")
        #expect(read.diagnostics == [])
        let model = read.value
        #expect(Set(model.documentSettings.keys) == Set(document))
        #expect(model.versionIdentifiers == ["i"])
        let first = try #require(model.entities.first)
        #expect(Set(first.sourceSettings.keys) == Set(entity))
        #expect(
            Set(first.attributes[0].sourceSettings.keys) == ["usesScalarValueType", "syncable"]
        )
        let values: [(Int64) -> AttributeValue] = [{ .integer($0) }, { .date(Double($0)) }]
        for (attribute, value) in zip(first.attributes, values) {
            #expect(attribute.validation.minimum == value(1))
            #expect(attribute.validation.maximum == value(3))
            #expect(attribute.defaultValue == value(2))
        }
    }

    @Test func `a merge conflict is one error at its line, and nothing else is said`() {
        let conflict = read(
            """
            <entity name='A'>
            <<<<<<< HEAD
            <attribute name='a' optional='YES' attributeType='String'/>
            =======
            >>>>>>> feature
            </entity>
            """
        )
        #expect(conflict.diagnostics.map(\.rule) == [.mergeConflict])
        #expect(conflict.diagnostics[0].severity == .error)
        #expect(conflict.diagnostics[0].location?.line == 3)
        #expect(read("<entity name='A'>\n<<<< B\n</entity>").diagnostics[0].rule == "malformed-xml")
    }

    @Test func `a conflict that momtool left in comments is one, unless our side is asked for`() {
        let body = """
            <entity name='A'>
            <!-- a comment -->
              <!-- <<<<<<< ours A.a: two ways -->
            <attribute name='a' optional='YES' attributeType='String'/>
            <!-- =======
            <attribute name='a' optional='YES' attributeType='Date'/>
              >>>>>>> theirs -->
            </entity>
            """
        let conflict = read(body)
        #expect(conflict.diagnostics.map(\.rule) == [.mergeConflict])
        #expect(conflict.diagnostics[0].location?.line == 4)
        #expect(conflict.diagnostics[0].location?.column == 3)
        let ours = readModel(
            contents: Data("<model>\n\(body)\n</model>".utf8),
            path: "contents",
            takingOurs: true
        )
        #expect(ours.diagnostics.isEmpty && ours.value.entities.count == 1)
        // Wherever the brackets are in the file, and however few of them.
        for blanks in 0..<14 {
            let start = String(repeating: " ", count: blanks)
            #expect(read(start + body).diagnostics.map(\.rule) == [.mergeConflict])
        }
        #expect(
            read("<entity name='A'><!-- <<<<<< ours\n>>>>>>> theirs --></entity>").diagnostics
                .isEmpty
        )
        // Only the first comment was removed.
        let left = read(body.replacing("<!-- <<<<<<< ours A.a: two ways -->", with: ""))
        #expect(left.diagnostics.map(\.rule) == [.mergeConflict])
        #expect(left.diagnostics[0].location?.line == 6)
        #expect(read("<entity name='A'><!-- a >>>>>>> theirs --></entity>").diagnostics.isEmpty)
        #expect(read("<entity name='A'><!-- <<<<<<< ours --></entity>").diagnostics.isEmpty)
    }

    @Test func `a type of a newer Xcode is named, and the rest of the model is read`() {
        let newer = read(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='Vector 8'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            <entity name='B'><attribute name='c' optional='YES' attributeType='Date'/></entity>
            """
        )
        #expect(newer.diagnostics.map(\.rule) == [.unknownAttributeType])
        #expect(newer.diagnostics[0].message.contains("'Vector 8'"))
        #expect(newer.diagnostics[0].location?.line == 2)
        #expect(newer.value.entities.map(\.name) == ["A", "B"])
        #expect(newer.value.entities.map(\.attributes.count) == [2, 1])
        #expect(newer.value.entities.map(\.gaps.isEmpty) == [false, true])
    }

    @Test func `a newer type in a composite type leaves entities with composites without a hash`() {
        let newer = read(
            """
            <composite name='C'><attribute name='x' attributeType='Vector'/></composite>
            <entity name='A'><attribute name='a' attributeType='Composite' composite='C'/></entity>
            <entity name='B'><attribute name='c' attributeType='Date'/></entity>
            """
        )
        #expect(newer.diagnostics.map(\.rule) == [.unknownAttributeType])
        #expect(newer.value.entities.map(\.gaps.isEmpty) == [false, true])
    }

    @Test
    func `a delete rule and an index of a newer Xcode are named, and all entities have hashes`() {
        let newer = read(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <relationship name='r' maxCount='1' deletionRule='Archive' destinationEntity='A'/>
            <fetchIndex name='i'><fetchIndexElement property='a' type='Vector' order='ascending'/></fetchIndex>
            </entity>
            """
        )
        #expect(newer.diagnostics.map(\.rule) == [.unknownKeyword, .unknownKeyword])
        #expect(newer.diagnostics.map(\.location?.line) == [3, 4])
        #expect(newer.value.entities[0].relationships.count == 1)
        #expect(newer.value.entities[0].fetchIndexes[0].elements.count == 1)
        #expect(newer.value.entities[0].gaps.isEmpty)
    }

    @Test func `a renaming identifier counts as elementID alone`() {
        let model = read(
            """
            <entity name='A' renamingIdentifier='Old'>
            <attribute name='a' attributeType='Date' renamingIdentifier='old'/>
            <attribute name='b' attributeType='Date' elementID='older' renamingIdentifier='old'/>
            <relationship name='r' maxCount='1' destinationEntity='A' renamingIdentifier='s'/>
            </entity>
            """
        )
        #expect(model.diagnostics.isEmpty)
        let entity = model.value.entities[0]
        #expect(entity.renamingIdentifier == nil)
        #expect(entity.attributes.map(\.renamingIdentifier) == [nil, "older"])
        #expect(entity.relationships[0].renamingIdentifier == nil)
    }
}
