import CodeGeneration
import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import TestSupport
import Testing

private let text = """
    <model sourceLanguage="Swift">
      <entity name="Person" representedClassName=".Person" codeGenerationType="class">
        <attribute name="age" attributeType="Integer 16" usesScalarValueType="YES"/>
        <attribute name="class" attributeType="Integer 64" usesScalarValueType="NO"/>
        <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="seen" attributeType="Date" usesScalarValueType="YES"/>
        <attribute name="height" attributeType="Double" usesScalarValueType="YES"/>
        <attribute name="weight" attributeType="Float" usesScalarValueType="YES"/>
        <attribute name="isAdult" attributeType="Boolean" usesScalarValueType="YES"/>
        <attribute name="salary" attributeType="Decimal"/>
        <attribute name="name" attributeType="String"/>
        <attribute name="photo" attributeType="Binary"/>
        <attribute name="key" attributeType="UUID"/>
        <attribute name="page" attributeType="URI"/>
        <attribute name="tags" attributeType="Transformable" customClassName="[String]"/>
        <attribute name="color" attributeType="Transformable" customClassName="x;"/>
        <attribute name="place" attributeType="Composite" composite="Place"/>
        <attribute name="other" optional="YES" transient="YES"/>
        <relationship name="friends" toMany="YES" destinationEntity="Person" inverseName="friends"/>
        <relationship name="pets" toMany="YES" ordered="YES" destinationEntity="Pet" \
    inverseName="owner"/>
        <fetchedProperty name="oldPets"><fetchRequest name="f" entity="Pet"/></fetchedProperty>
      </entity>
      <entity name="Worker" representedClassName="Worker" parentEntity="Person" \
    codeGenerationType="class"/>
      <entity name="Pet" representedClassName="PetObject" codeGenerationType="category">
        <relationship name="owner" maxCount="1" destinationEntity="Person" inverseName="pets"/>
      </entity>
      <entity name="Plain" representedClassName="Plain"/>
      <entity name="Bare"/>
      <composite name="Place"><attribute name="city" attributeType="String"/></composite>
      <fetchRequest name="Adults" entity="Person" predicateString="age &gt;= $AGE"/>
      <fetchRequest name="Names" entity="Person" resultType="2"/>
    </model>
    """

private func model(_ text: String = text) -> ManagedObjectModel {
    readModel(contents: Data(text.utf8), path: "contents").value
}

struct ClassGenerationTests {
    @Test(arguments: AttributeType.allCases)
    func `a type has a row with its names, and is found by the one of sources`(
        type: AttributeType
    ) throws {
        guard type != .undefined else { return #expect(type.sourceName == nil) }
        let name = try #require(type.sourceName)
        #expect(AttributeType(sourceName: name) == type)
        #expect(type.row.valueClass != nil || type == .transformable)
        #expect(type.row.column != nil || type == .composite || type == .objectID)
        #expect((type.values == .integer) == type.isInteger)
    }

    static let swift = swift(.publicImports)

    static func swift(_ form: SwiftClassForm) -> Diagnosed<[GeneratedFile]> {
        generatedClasses(of: model(), named: "Shop", language: .swift, form: form)
    }

    static let objectiveC = generatedClasses(of: model(), named: "Shop", language: .objectiveC)

    @Test func `files of today's Xcode import in public and name sets, earlier ones do neither`()
        throws
    {
        func text(_ form: SwiftClassForm, _ file: Int) -> String {
            Self.swift(form).value[file].text
        }
        #expect(text(.publicImports, 0).contains("\npublic import CoreData\n"))
        #expect(
            text(.publicImports, 0).contains("\npublic typealias PersonCoreDataClassSet = NSSet\n")
        )
        #expect(
            text(.publicImports, 1)
                .contains("\npublic typealias PersonCoreDataPropertiesSet = NSSet\n")
        )
        for file in Self.swift(.plainImports).value {
            #expect(file.text.contains("\nimport CoreData\n"))
            #expect(!file.text.contains("typealias"))
        }
        #expect(SwiftClassForm(xcodeVersion: 160_400) == .plainImports)
        #expect(SwiftClassForm(xcodeVersion: 260_100) == .publicImports)
    }

    @Test func `entities get the files that they ask for`() {
        #expect(Self.swift.diagnostics.isEmpty)
        #expect(
            Self.swift.value.map(\.name) == [
                "Person+CoreDataClass.swift", "Person+CoreDataProperties.swift",
                "PetObject+CoreDataProperties.swift", "Shop+CoreDataModel.swift",
                "Worker+CoreDataClass.swift", "Worker+CoreDataProperties.swift",
            ]
        )
        let all = generatedClasses(of: model(), named: "Shop", language: .swift, selection: .all)
        #expect(all.value.map(\.name).contains("Plain+CoreDataClass.swift"))
        #expect(all.value.map(\.name).contains("PetObject+CoreDataClass.swift"))
        #expect(!all.value.map(\.name).contains { $0.hasPrefix("Bare") })
    }

    static let members: [(file: String, line: String)] = [
        ("Person+CoreDataClass.swift", "@objc(Person)\npublic class Person: NSManagedObject {"),
        ("Worker+CoreDataClass.swift", "public class Worker: Person {"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var age: Int16\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var `class`: NSNumber?\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var born: Date?\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var seen: TimeInterval\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var isAdult: Bool\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var salary: NSDecimalNumber?\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var name: String?\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var tags: [String]?\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var color: NSObject?\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var friends: NSSet?\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var pets: NSOrderedSet?\n"),
        ("Person+CoreDataProperties.swift", "    @NSManaged public var oldPets: [PetObject]?\n"),
        ("PetObject+CoreDataProperties.swift", "    @NSManaged public var owner: Person?\n"),
        ("PetObject+CoreDataProperties.swift", "NSFetchRequest<PetObject>(entityName: \"Pet\")"),
        (
            "Person+CoreDataProperties.swift",
            "    @objc(addFriendsObject:)\n    @NSManaged public func addToFriends(_ value: Person)\n"
        ),
        (
            "Person+CoreDataProperties.swift",
            "    @objc(replaceObjectInPetsAtIndex:withObject:)\n"
                + "    @NSManaged public func replacePets(at idx: Int, with value: PetObject)\n"
        ),
        ("Shop+CoreDataModel.swift", "-> NSFetchRequest<NSDictionary>? {"),
    ]

    @Test(arguments: members)
    func `members have the names and types of Apple's`(file: String, line: String) throws {
        let text = try #require(Self.swift.value.first { $0.name == file }).text
        #expect(text.contains(line), "\(text)")
    }

    @Test func `only the topmost class states that it is identifiable`() {
        let stating = Self.swift.value.filter { $0.text.contains(": Identifiable") }.map(\.name)
        #expect(
            stating == ["Person+CoreDataProperties.swift", "PetObject+CoreDataProperties.swift"]
        )
    }

    @Test func `the language is that of the model`() {
        #expect(ClassLanguage(of: model()) == .swift)
        #expect(ClassLanguage(of: model("<model sourceLanguage='Objective-C'/>")) == .objectiveC)
        #expect(ClassLanguage(of: model("<model/>")) == .swift)
    }

    static let faults: [(model: String, rule: RuleID, element: String)] = [
        (
            "<model><entity name='A' representedClassName='A B'/></model>", "unusable-name", "A"
        ),
        (
            "<model><entity name='A' representedClassName='A {}&#10;import X'/></model>",
            "unusable-name", "A"
        ),
        (
            "<model><entity name='A' representedClassName='A'><attribute name='a b' "
                + "attributeType='String'/></entity></model>", "unusable-name", "A.a b"
        ),
        (
            "<model><entity name='A' representedClassName='C'/>"
                + "<entity name='B' representedClassName='M.C'/></model>",
            "shared-generated-class", "B"
        ),
    ]

    @Test(arguments: faults)
    func `what cannot be written is an error at its element`(
        text: String,
        rule: RuleID,
        element: String
    ) {
        for language in ClassLanguage.allCases {
            let generated = generatedClasses(
                of: model(text),
                named: "M",
                language: language,
                selection: .all
            )
            #expect(generated.diagnostics.map(\.rule) == [rule])
            #expect(generated.diagnostics.first?.element == element)
            #expect(generated.diagnostics.first?.location?.line == 1)
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `every model of the corpus gives classes, the same each time`() {
        var count = 0
        for path in Corpus.paths(where: { $0.hasSuffix("/contents") }) {
            let model = readModelBundle(at: Corpus.path(path)).value.versions.first?.model
            guard let model else { continue }
            for language in ClassLanguage.allCases {
                let files = { () -> Diagnosed<[GeneratedFile]> in
                    generatedClasses(of: model, named: "M", language: language, selection: .all)
                }
                let first = files()
                #expect(first.value == files().value)
                #expect(Set(first.value.map(\.name)).count == first.value.count, "\(path)")
                count += first.value.count
            }
        }
        #expect(count > 500)
    }
}
