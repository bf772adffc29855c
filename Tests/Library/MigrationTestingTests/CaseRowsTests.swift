import Foundation
import MigrationTesting
import TestSupport
import Testing

struct CaseRowsTests {
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

    /// The same with limits, a default, required friends, and a constraint.
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

    private func lines(_ text: String, _ files: [String: String] = [:]) throws -> [String] {
        try withFolder { folder in
            for (name, contents) in [("V1", Self.first), ("V2", Self.second)] {
                try write(contents, "Shop.xcdatamodeld/\(name).xcdatamodel/contents", in: folder)
            }
            for (name, contents) in files { try write(contents, name, in: folder) }
            try write(text, "case.yml", in: folder)
            return try MigrationCase.cases(at: folder).flatMap { found in
                let outcome = found.run()
                #expect((outcome.status == .passed) == outcome.lines.isEmpty, "\(outcome)")
                return outcome.lines.map { $0.replacing(folder.path + "/", with: "") }
            }
        }
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
            "Company/engines \"Engines\": staff has the order Person/ada \"Ada\", "
                + "Person/bob \"Bobby\", expected Person/bob \"Bobby\", Person/ada \"Ada\"",
            "Person/ada \"Ada\": age is missing, expected 3",
            "Person/bob \"Bob\": age is 7, expected none",
            "Person/bob \"Bob\": name is \"Bob\", expected \"Bobby\"",
            "Person/eve \"Eve\" is missing",
        ]
        let told = try lines(Self.shared + alike)
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
        let told = try lines(text).flatMap { $0.split(separator: "\n") }
            .map { String($0).replacing(#/: [^:"]*: add /#, with: ": ") }
        let born = "\"born\": \"2001-01-01T00:00:00Z\" [missing-row-value]"
        let expected = [
            "case.yml:6:7: error: Person.born: \(born)",
            "case.yml:6:7: error: Person.name: \"name\": \"name 1\" [missing-row-value]",
            "case.yml:7:7: error: Person.born: \(born)",
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
              unchanged:
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
