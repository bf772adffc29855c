import CloudKitSchema
import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import Testing

func model(_ body: String, attributes: String = "") -> ManagedObjectModel {
    let text = "<model \(attributes)>\n\(body)\n</model>"
    return readModel(contents: Data(text.utf8), path: "contents").value
}

func prediction(of model: ManagedObjectModel, configuration: String? = nil) throws
    -> SchemaPrediction
{
    let mirrored = try #require(MirroredEntities(of: model, configuration: configuration))
    return predictSchema(of: model, mirroring: mirrored)
}

struct PredictionTests {
    static let visit = """
        <entity name='Visit'>
        <attribute name='town' optional='YES' attributeType='String'/>
        <attribute name='secret' optional='YES' attributeType='String' allowsCloudEncryption='YES'/>
        <attribute name='uid' optional='YES' attributeType='UUID'/>
        <attribute name='guess' optional='YES' transient='YES' attributeType='String'/>
        <relationship name='guide' optional='YES' maxCount='1' destinationEntity='Guide' inverseName='visits' inverseEntity='Guide'/>
        </entity>
        <entity name='Guide'>
        <attribute name='born' optional='YES' attributeType='Date'/>
        <attribute name='photo' optional='YES' attributeType='Binary' allowsExternalBinaryDataStorage='YES'/>
        <attribute name='pay' optional='YES' attributeType='Decimal'/>
        <attribute name='isFree' optional='YES' attributeType='Boolean'/>
        <relationship name='visits' optional='YES' toMany='YES' destinationEntity='Visit' inverseName='guide' inverseEntity='Visit'/>
        </entity>
        """

    @Test func `the whole schema of a model has companions and receipts`() throws {
        let prediction = try prediction(of: model(Self.visit))
        #expect(prediction.diagnostics.isEmpty)
        #expect(
            prediction.schema().text.hasSuffix(
                """
                    RECORD TYPE CD_Visit (
                        CD_entityName          STRING QUERYABLE SEARCHABLE SORTABLE,
                        CD_guide               STRING QUERYABLE SEARCHABLE SORTABLE,
                        CD_moveReceipt         BYTES QUERYABLE SORTABLE,
                        CD_moveReceipt_ckAsset ASSET,
                        CD_secret              ENCRYPTED STRING,
                        CD_secret_ckAsset      ASSET,
                        CD_town                STRING QUERYABLE SEARCHABLE SORTABLE,
                        CD_town_ckAsset        ASSET,
                        CD_uid                 STRING QUERYABLE SEARCHABLE SORTABLE,
                        "___createTime"        TIMESTAMP,
                        "___createdBy"         REFERENCE,
                        "___etag"              STRING,
                        "___modTime"           TIMESTAMP,
                        "___modifiedBy"        REFERENCE,
                        "___recordID"          REFERENCE,
                        GRANT WRITE TO "_creator",
                        GRANT CREATE TO "_icloud",
                        GRANT READ TO "_world"
                    );


                """
            ),
            "\(prediction.schema().text)"
        )
    }

    @Test func `the schema of first small records has neither`() throws {
        let schema = try prediction(of: model(Self.visit)).schema(.minimal)
        let guide = try #require(schema.recordType("CD_Guide"))
        let fields = guide.fields.filter { !$0.name.hasPrefix("___") }
        #expect(
            Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.typeText) }) == [
                "CD_entityName": "STRING", "CD_born": "TIMESTAMP", "CD_photo": "BYTES",
                "CD_pay": "DOUBLE", "CD_isFree": "INT64",
            ]
        )
    }

    @Test func `a hierarchy shares the record type of its root, which is said to be unproven`()
        throws
    {
        let animals = model(
            """
            <entity name='Animal' isAbstract='YES'><attribute name='name' optional='YES' attributeType='String'/></entity>
            <entity name='Cat' parentEntity='Animal'><attribute name='lives' optional='YES' attributeType='Integer 16'/></entity>
            <entity name='Lion' parentEntity='Cat'><attribute name='name2' optional='YES' attributeType='String'/></entity>
            <entity name='Dog' parentEntity='Animal'><attribute name='lives' optional='YES' attributeType='Integer 64'/></entity>
            """
        )
        let prediction = try prediction(of: animals)
        #expect(prediction.recordTypes.map(\.name) == ["CD_Animal"])
        let names = prediction.schema(.minimal).recordTypes[0].fields.map(\.name)
        #expect(names.filter { $0 == "CD_lives" }.count == 1)
        #expect(names.contains("CD_name2"))
        #expect(prediction.diagnostics.map(\.rule) == ["cloudkit-unproven"])
    }

    @Test func `siblings whose properties need two types are refused`() throws {
        let animals = model(
            """
            <entity name='Animal'/>
            <entity name='Cat' parentEntity='Animal'><attribute name='age' optional='YES' attributeType='Date'/></entity>
            <entity name='Dog' parentEntity='Animal'><attribute name='age' optional='YES' attributeType='String'/></entity>
            """
        )
        let found = try prediction(of: animals).diagnostics.filter { $0.severity == .error }
        #expect(found.map(\.rule) == ["cloudkit-sibling-types"])
        #expect(found.first?.element == "Dog.age")
        #expect(found.first?.location?.line == 4)
        #expect(found.first?.notes.first?.location?.line == 3)
    }

    @Test func `many-to-many links have one record type of their own`() throws {
        let tags = model(
            """
            <entity name='Note'><relationship name='tags' optional='YES' toMany='YES' destinationEntity='Tag' inverseName='notes' inverseEntity='Tag'/></entity>
            <entity name='Tag'><relationship name='notes' optional='YES' toMany='YES' destinationEntity='Note' inverseName='tags' inverseEntity='Note'/></entity>
            """
        )
        let prediction = try prediction(of: tags)
        let links = try #require(prediction.schema().recordType("CDMR"))
        #expect(
            links.fields.map(\.name).prefix(3) == [
                "CD_entityNames", "CD_recordNames", "CD_relationships",
            ]
        )
        #expect(prediction.schema().recordType("CD_Note")?.field("CD_tags") == nil)
        #expect(prediction.diagnostics.map(\.rule) == ["cloudkit-unproven"])
    }

    @Test(arguments: [
        ("<attribute name='a' optional='YES' attributeType='Float'/>", "Float"),
        ("<attribute name='a' optional='YES' attributeType='URI'/>", "URI"),
        (
            "<attribute name='a' optional='YES' attributeType='String' derived='YES' derivationExpression='b'/>",
            "derived"
        ),
        (
            "<relationship name='a' optional='YES' maxCount='1' destinationEntity='A' inverseName='a' inverseEntity='A'/>",
            "one-to-one"
        ),
        ("<attribute name='a' optional='YES' attributeType='String' syncable='NO'/>", "syncable"),
        (
            "<attribute name='a' optional='YES' attributeType='Composite' composite='C'/>",
            "composite"
        ),
    ])
    func `what no schema has shown is said`(property: String, word: String) throws {
        let model = model(
            "<entity name='A'>\(property)</entity>"
                + "<composite name='C'><attribute name='x' optional='YES' attributeType='String'/></composite>"
        )
        let found = try prediction(of: model).diagnostics
        #expect(found.map(\.rule) == ["cloudkit-unproven"])
        #expect(found.first?.message.contains(word) == true)
        #expect(found.first?.severity == .note)
    }

    @Test(arguments: [
        ("<attribute name='entityName' optional='YES' attributeType='Date'/>", Severity.warning),
        ("<attribute name='moveReceipt' optional='YES' attributeType='Binary'/>", .warning),
        (
            "<attribute name='b' optional='YES' attributeType='String'/><attribute name='b_ckAsset' optional='YES' attributeType='Date'/>",
            .warning
        ),
        (
            "<attribute name='b_ckAsset' optional='YES' attributeType='Date'/><attribute name='b' optional='YES' attributeType='String'/>",
            .warning
        ),
        (
            "<attribute name='aB' optional='YES' attributeType='Date'/><attribute name='ab' optional='YES' attributeType='Date'/>",
            .warning
        ),
        ("<attribute name='größe' optional='YES' attributeType='Date'/>", .error),
    ])
    func `names that make no field of their own are found`(
        properties: String,
        severity: Severity
    ) throws {
        let found = try prediction(of: model("<entity name='A'>\(properties)</entity>")).diagnostics
        #expect(found.map(\.rule) == ["cloudkit-field-name"])
        #expect(found.map(\.severity) == [severity])
    }

    @Test func `only the entities of the mirrored configuration count`() throws {
        let two = model(
            """
            <entity name='A'><relationship name='b' optional='YES' maxCount='1' destinationEntity='B' inverseName='a' inverseEntity='B'/></entity>
            <entity name='B'><relationship name='a' optional='YES' toMany='YES' destinationEntity='A' inverseName='b' inverseEntity='A'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            <configuration name='Local'><memberEntity name='B'/></configuration>
            """
        )
        #expect(try prediction(of: two).recordTypes.map(\.name) == ["CD_A"])
        let crossing = try prediction(of: two).diagnostics
        #expect(crossing.map(\.rule) == ["cloudkit-crossing-relationship"])
        #expect(try prediction(of: two, configuration: "Local").recordTypes.map(\.name) == ["CD_B"])
        #expect(MirroredEntities(of: two, configuration: "Other") == nil)
    }
}
