import Foundation
import MigrationTesting
import TestSupport
import Testing

/// Cases in one file: rows in part, rows that are shared or made up, and steps on the migrated store.
struct CaseStepTests {
    private static let first = """
        <model><entity name='Person'><attribute name='name' attributeType='String'/>
        <attribute name='born' attributeType='Date'/>
        <attribute name='age' attributeType='Integer 16' optional='YES'/>
        <relationship name='employer' optional='YES' maxCount='1' deletionRule='Nullify'
          destinationEntity='Company' inverseName='staff' inverseEntity='Company'/>
        </entity><entity name='Company'><attribute name='name' attributeType='String'/>
        <relationship name='staff' optional='YES' toMany='YES' ordered='YES' deletionRule='Cascade'
          destinationEntity='Person' inverseName='employer' inverseEntity='Person'/></entity></model>
        """

    /// The same with limits, a default, friends that must not be left, and a constraint.
    private static let second =
        first.replacing(
            "<attribute name='age' attributeType='Integer 16' optional='YES'/>",
            with: """
                <attribute name='age' attributeType='Integer 16' optional='YES' maxValueString='120'/>
                <attribute name='nick' attributeType='String' optional='YES' defaultValueString='none'/>
                <attribute name='home' attributeType='Composite' optional='YES' composite='Home'/>
                <relationship name='badge' optional='YES' maxCount='1' deletionRule='Cascade'
                  destinationEntity='Badge' inverseName='owner' inverseEntity='Badge'/>
                <relationship name='friends' optional='YES' toMany='YES' deletionRule='Deny'
                  destinationEntity='Person' inverseName='friendOf' inverseEntity='Person'/>
                <relationship name='friendOf' optional='YES' toMany='YES' deletionRule='Nullify'
                  destinationEntity='Person' inverseName='friends' inverseEntity='Person'/>
                """
        ).replacing(
            "</entity></model>",
            with: """
                <uniquenessConstraints><uniquenessConstraint><constraint value='name'/>
                </uniquenessConstraint></uniquenessConstraints></entity>
                <entity name='Badge'><attribute name='number' attributeType='Integer 32'/>
                <relationship name='owner' maxCount='1' deletionRule='Nullify'
                  destinationEntity='Person' inverseName='badge' inverseEntity='Person'/></entity>
                <composite name='Home'><attribute name='city' attributeType='String' optional='YES'/>
                <attribute name='street' attributeType='String' optional='YES'/></composite></model>
                """
        )

    private static let shared = """
        model: Shop.xcdatamodeld
        from: V1
        to: V2
        fill: true
        before:
          Company: {"@id": engines, name: Engines, staff: [Person/ada, Person/bob]}
          Person:
            - {"@id": ada, name: Ada}
            - {"@id": bob, name: Bob, age: 7}
        expect: contains
        after:
          Company: {"@id": engines}
          Person:
            - {"@id": ada, name: Ada}
            - {"@id": bob, name: Bob}

        """

    /// Runs the cases of a file in a folder with the model; the lines of what fails, with the folder left out.
    private func lines(_ text: String, _ files: [String: String] = [:]) throws -> [String] {
        try withFolder { folder in
            for (name, contents) in [("V1", Self.first), ("V2", Self.second)] {
                let version = folder.appending(path: "Shop.xcdatamodeld/\(name).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: version,
                    withIntermediateDirectories: true
                )
                try Data(contents.utf8).write(to: version.appending(path: "contents"))
            }
            for (name, contents) in files {
                try Data(contents.utf8).write(to: folder.appending(path: name))
            }
            try Data(text.utf8).write(to: folder.appending(path: "case.yml"))
            return try MigrationCase.cases(at: folder).flatMap { found in
                let outcome = found.run()
                #expect((outcome.status == .passed) == outcome.lines.isEmpty, "\(outcome)")
                return outcome.lines.map { $0.replacing(folder.path + "/", with: "") }
            }
        }
    }

    private func lines(then steps: String) throws -> [String] {
        try lines(Self.shared + "then:\n" + steps)
    }

    @Test func `what an app does with a migrated store is done, saved and read back`() throws {
        let steps = """
              - count: {Person: 2, "Person[age > 3]": 1}
              - insert:
                  Person:
                    - {"@id": eve, name: Eve, born: 2001-01-31T12:30:00Z, employer: Company/engines}
                    - {"@id": sam, name: Sam, born: 2001-01-31T12:30:00Z, friends: [Person/eve]}
                  Badge: {"@id": b, number: 7, owner: Person/eve}
              - expect:
                  Person/eve: {nick: none, age: null, badge: Badge/b, friendOf: Person/sam}
                  Company/engines: {staff: [Person/ada, Person/bob, Person/eve]}
              - save
              - set: {Person/eve: {home: {city: Paris}, employer: null}, Person/sam: {badge: Badge/b}}
              - link: {Company/engines: {staff: Person/sam}}
              - unlink: {Company/engines: {staff: [Person/ada]}}
              - save
              - expect:
                  Person/eve: {home: {city: Paris, street: null}, badge: null}
                  Person/ada: {employer: null}
                  Badge/b: {owner: Person/sam}
                  Company/engines: {staff: [Person/bob, Person/sam]}
              - delete: Person/bob
              - set: {Person/sam: {employer: null}}
              - delete: [Company/engines, "Person[name == 'Ada']"]
              - unlink: {Person/sam: {friends: Person/eve}}
              - delete: Person/sam
              - save
              - count: {Person: 1, Company: 0, Badge: 0}
            """
        let told = try lines(then: steps)
        #expect(told == [], "\(told)")
    }

    static let refusals: [(step: String, code: Int)] = [
        ("set: {Person/ada: {name: null}}", 1570),
        ("set: {Person/ada: {age: 121}}", 1610),
        ("insert: {Badge: {number: 1}}", 1570),
        ("insert: {Badge: {owner: Person/ada}}", 1570),
        ("insert: {Company: {name: Engines}}", 133_021),
    ]

    @Test(arguments: refusals)
    func `what Core Data would not save is refused with its code`(step: String, code: Int) throws {
        let refused = "  - \(step)\n  - save: {refused: \(code)}\n"
        // What is refused is undone.
        #expect(try lines(then: refused + "  - count: {Person: 2, Badge: 0, Company: 1}") == [])
        let told = try lines(then: "  - \(step)\n  - save")
        #expect(told.count == 1)
        #expect(told[0].hasPrefix("case.yml:18:5: the save is refused: "), "\(told)")
        #expect(told[0].hasSuffix(" (\(code))"), "\(told)")
    }

    @Test func `a delete rule that denies is asked at the save`() throws {
        let denied = """
              - link: {Person/ada: {friends: Person/bob}}
              - save
              - delete: Person/ada
              - save: {refused: {code: 1600, message: "while it leads to Person/bob"}}
              - delete: [Person/ada, Person/bob]
              - save
              - count: {Person: 0}
              - expect: {Company/engines: {staff: []}}
            """
        #expect(try lines(then: denied) == [])
    }

    static let faults: [(step: String, lines: [String])] = [
        (
            "set: {Person/adaa: {age: 3}}",
            [
                "case.yml:17:11: error: there is no object 'Person/adaa'; did you mean 'Person/ada' [dangling-row-reference]"
            ]
        ),
        (
            "set: {Person/ada: {agee: 3}}",
            [
                "case.yml:17:24: error: Person has no stored property 'agee'; did you mean 'age' [unknown-row-property]"
            ]
        ),
        (
            "set:\n      Person/ada:\n        age: many",
            [
                "case.yml:19:16: error: Person.age: the value is no Integer 16; write a number [wrong-row-value]"
            ]
        ),
        (
            "set: {Person/ada: {name: Eve}}",
            ["case.yml:17:5: what comes before is not saved; end with 'save'"]
        ),
        (
            "expect: {Person/ada: {name: Eve, employer: null, age: 3}}",
            [
                "case.yml:17:5: Person/ada: name is \"Ada\", expected \"Eve\"",
                "case.yml:17:5: Person/ada: employer is Company/engines, expected nothing",
                "case.yml:17:5: Person/ada: age is nil, expected 3",
            ]
        ),
        ("count: {Person: 1}", ["case.yml:17:5: Person: 2, expected 1"]),
        (
            "delete: 'Person[name != nil]'",
            [
                "case.yml:17:13: error: 'Person[name != nil]' are 2 objects; name one [dangling-row-reference]"
            ]
        ),
        ("save: {refused: 1570}", ["case.yml:17:5: it is saved, though that is not expected"]),
    ]

    @Test(arguments: faults.indices)
    func `a step that is not as expected is told at its line`(index: Int) throws {
        let told = try lines(then: "  - \(Self.faults[index].step)")
        #expect(told == Self.faults[index].lines, "\(told)")
    }

    @Test func `of rows in part only what they name counts`() throws {
        let rows = """
            cases:
              alike:
                after:
                  Person: [{age: 7, employer: Company/e}, {age: null}]
                  Company: {"@id": e, staff: [Person/a, Person/b]}
              different:
                after:
                  Company: {"@id": engines, staff: [Person/bob, Person/ada]}
                  Person:
                    - {"@id": ada, name: Ada, age: 3}
                    - {"@id": bob, name: Bobby, age: null}
                    - {"@id": eve, name: Eve}
            """
        let alike = rows.replacing(
            "[{age: 7, employer: Company/e}, {age: null}]",
            with: "[{'@id': b, age: 7, employer: Company/e}, {'@id': a, age: null}]"
        )
        let expected = [
            "Company/engines \"Engines\": staff is in another order: Person/ada \"Ada\", "
                + "Person/bob \"Bobby\", expected Person/bob \"Bobby\", Person/ada \"Ada\"",
            "Person/ada \"Ada\": age is missing, expected 3",
            "Person/bob \"Bob\": age is 7, expected none",
            "Person/bob \"Bob\": name is \"Bob\", expected \"Bobby\"",
            "Person/eve \"Eve\" is missing",
        ]
        let told = try lines(Self.shared + alike)
        // Each has the line of the value that is expected.
        let places = told.map { $0.prefix { $0 != " " } }
        #expect(places.allSatisfy { $0.hasPrefix("case.yml:") && $0.hasSuffix(":") }, "\(told)")
        #expect(zip(told, places).map { String($0.dropFirst($1.count + 1)) } == expected)
    }

    @Test func `all that rows leave out is told at once, with what to add`() throws {
        let text = """
            model: Shop.xcdatamodeld
            from: V1
            to: V2
            before:
              Person:
                - {}
                - name: Ada
            """
        let born = "add \"born\": \"2001-01-01T00:00:00Z\" [missing-row-value]"
        let fault = "give a value; the attribute is required and has no default:"
        let told = try lines(text).flatMap { $0.split(separator: "\n").map(String.init) }
        let expected = [
            "case.yml:6:7: error: Person.born: \(fault) \(born)",
            "case.yml:6:7: error: Person.name: \(fault) add \"name\": \"name 1\" [missing-row-value]",
            "case.yml:7:7: error: Person.born: \(fault) \(born)",
        ]
        #expect(told == expected, "\(told)")
    }

    @Test func `rows are shared, and what a case says takes their place`() throws {
        let base = """
            {"Company": [{"@id": "c", "name": "Looms", "staff": ["Person/eve"]}],
             "Person": [{"@id": "eve", "name": "Eve", "age": 3, "born": "2001-01-01T00:00:00Z"}]}
            """
        let text = """
            model: Shop.xcdatamodeld
            from: V1
            to: V2
            base: base.json
            cases:
              as it is:
                after:
                  Company: {"@id": c, name: Looms, staff: [Person/eve]}
                  Person: {"@id": eve, name: Eve, age: 3, born: 2001-01-01T00:00:00Z, nick: none}
              with another age:
                before: {Person: {"@id": eve, age: 9}}
                after:
                  Company: {"@id": c, name: Looms, staff: [Person/eve]}
                  Person: {"@id": eve, name: Eve, age: 9, born: 2001-01-01T00:00:00Z, nick: none}
            """
        #expect(try lines(text, ["base.json": base]) == [])
        let other = text.replacing("age: 9, born", with: "age: 10, born")
        #expect(
            try lines(other, ["base.json": base]) == [
                "case.yml:14: Person/eve \"Eve\": age is 9, expected 10"
            ]
        )
    }
}
