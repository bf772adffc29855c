import Foundation
import ModelLanguage
import ObjectModel
import TestSupport
import Testing

@testable import ModelChecking

struct HouseRuleKeyTests {
    @Test(arguments: HouseRule.Subject.allCases)
    func `every key of the table has a value`(_ subject: HouseRule.Subject) throws {
        let old = Entity("A", [Attribute("a", .string)])
        var new = old
        new.attributes.append(Attribute("b", .date))
        new.relationships = [Relationship(name: "r", destinationEntity: "A")]
        new.fetchIndexes = [FetchIndex(name: "i", elements: [.init(.property("a"))])]
        var (before, after) = (ManagedObjectModel(), ManagedObjectModel())
        (before.entities, after.entities) = ([old], [new])
        let first = HouseRuleScope(ModelVersion(name: "V1", model: before), isShipped: true)
        let second = HouseRuleScope(ModelVersion(name: "V2", model: after), after: first)
        let element = try #require(second.elements(for: subject).first)
        for key in HouseRuleKey.all(of: subject) {
            #expect(element.value(of: key.name) != nil, "\(key.name)")
            #expect(!key.summary.isEmpty)
        }
        #expect(element.value(of: "nothing") == nil)
    }

    @Test(arguments: PropertyFlag.allCases)
    func `a key tells its own flag`(_ flag: PropertyFlag) throws {
        let own: [PropertyFlag: String] = [
            .externalStorage: "externalStorage", .cloudEncryption: "encrypted",
            .preservationAfterDeletion: "preserved", .spotlightIndexing: "spotlight",
        ]
        var attribute = Attribute("a", .binary, isOptional: false)
        attribute.flags[flag] = true
        var model = ManagedObjectModel()
        model.entities = [Entity("A", [attribute])]
        let scope = HouseRuleScope(ModelVersion(name: "V", model: model))
        let element = try #require(scope.elements(for: .attribute).first)
        let keys = HouseRuleKey.all(of: HouseRule.Subject.attribute).map(\.name)
        let told = keys.filter { $0 != "new" && element.value(of: $0) == .flag(true) }
        #expect(told == [own[flag]].compactMap(\.self))
    }

    @Test func `the page of house rules has every key`() throws {
        let path = "Sources/Library/Momtool/Momtool.docc/HouseRules.md"
        let page = try fileText(Corpus.package.appending(path: path))
        for subject in HouseRule.Subject.allCases {
            let own =
                page.split(separator: "### \(subject.rawValue)\n").last?
                .prefix(while: { $0 != "#" }) ?? ""
            for key in HouseRuleKey.all(of: subject) {
                let row = "| `\(key.name)` | \(key.summary) |"
                #expect(own.contains(row), "\(subject.rawValue): \(row)")
            }
        }
    }

    @Test(arguments: [
        "type == 'Integer 64'", "type ==[c] 'integer 64'", "type CONTAINS 'Integer'",
        "NOT type IN {'String', 'Date'}", "userInfo.owner == 'x'", "$SELF.name == 'a'",
    ])
    func `a condition with the words of its keys is fine`(_ text: String) throws {
        var typing = HouseRuleTyping(.attribute)
        typing.check(try Predicate(parsing: text.replacing("$SELF", with: "SELF")))
        #expect(typing.faults == [])
    }

    @Test(arguments: [
        ("name == 'A'", true), ("name == 'a'", false), ("name ==[c] 'a'", true),
        ("attributes.@count == 2", true), ("attributes.@count BETWEEN {2, 3}", true),
        ("ANY attributes.type == 'Date'", true), ("ALL attributes.type == 'Date'", false),
        ("NONE attributes.name == 'z'", true), ("'b' IN attributes.name", true),
        ("attributes.name CONTAINS 'b'", true), ("parent == NULL", true), ("parent != NULL", false),
        ("parent.name == 'B'", false), ("parent.name < 'B'", false), ("abstract == NO", true),
        ("NOT abstract == YES", true), ("name LIKE '?'", true), ("name LIKE 'B*'", false),
        ("name MATCHES '[A-C]'", true), ("name MATCHES '[A-C]x'", false),
        ("name.length + 1 == 2", true), ("length:(name) == 1", true),
        ("attributes[0].name == 'a'", true),
        ("attributes[LAST].name == 'b'", true), ("attributes[SIZE] == 2", true),
        ("attributes[9] == NULL", true), ("userInfo.owner.team == 'x'", true),
        ("SUBQUERY(attributes, $a, $a.name == 'b').@count == 1", true),
        ("TERNARY(abstract == YES, 'x', 'y') == 'y'", true), ("10 / 0 == NULL", true),
    ])
    func `conditions are evaluated as predicates are`(_ text: String, _ expected: Bool) throws {
        var entity = Entity("A", [Attribute("a", .string), Attribute("b", .date)])
        entity.userInfo = [UserInfoEntry(key: "owner.team", value: "x")]
        var model = ManagedObjectModel()
        model.entities = [entity]
        let scope = HouseRuleScope(ModelVersion(name: "V", model: model))
        let predicate = try Predicate(parsing: text)
        var typing = HouseRuleTyping(.entity)
        typing.check(predicate)
        #expect(typing.faults == [])
        var evaluation = HouseRuleEvaluation()
        let element = try #require(scope.elements(for: .entity).first)
        #expect(try evaluation.holds(predicate, for: element) == expected)
    }
}
