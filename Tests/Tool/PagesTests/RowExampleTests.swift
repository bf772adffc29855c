import Foundation
import TestSupport
import Testing

struct RowExampleTests {
    private static let model = """
        <model><entity name='Person'>\(attributes)
        <attribute name='points' attributeType='Integer 16' defaultValueString='3'/>
        <attribute name='folded' attributeType='String' optional='YES' derived='YES'
          derivationExpression='canonical:(name)'/>
        <attribute name='photo' attributeType='Binary' optional='YES' allowsExternalBinaryDataStorage='YES'/>
        <attribute name='place' attributeType='Composite' composite='Place' optional='YES'/>
        <attribute name='marks' attributeType='Transformable' optional='YES'
          valueTransformerName='NSSecureUnarchiveFromData'/>
        <relationship name='boss' optional='YES' maxCount='1' deletionRule='Nullify'
          destinationEntity='Person' inverseName='staff' inverseEntity='Person'/>
        <relationship name='staff' optional='YES' toMany='YES' deletionRule='Nullify'
          destinationEntity='Person' inverseName='boss' inverseEntity='Person'/></entity>
        <composite name='Place'><attribute name='city' attributeType='String' optional='YES'/></composite>
        </model>
        """

    private static let attributes = [
        "Integer 16": ["age"], "Integer 64": ["big"], "Double": ["height", "limit"],
        "Float": ["weight"], "Boolean": ["isNew"], "Decimal": ["price", "discount"],
        "Date": ["born", "seen", "left", "never"], "UUID": ["token"], "URI": ["home"],
        "Binary": ["key", "stops"], "String": ["name", "nick"],
    ].flatMap { type, names in
        names.map { "<attribute name='\($0)' attributeType='\(type)' optional='YES'/>" }
    }.joined()

    private static func examples() throws -> [String] {
        let page = pagesFolder.appending(path: "StableOutput.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.matches(of: /\| `(\{.*\})` \|/).map { String($0.output.1) }
    }

    @Test func `every form of a value on the page is read, written and read again`() throws {
        let examples = try Self.examples()
        #expect(examples.count == 11)
        for example in examples {
            try withFolder { folder in
                let model = folder.appending(path: "M.xcdatamodel")
                try FileManager.default.createDirectory(
                    at: model,
                    withIntermediateDirectories: true
                )
                try Data(Self.model.utf8).write(to: model.appending(path: "contents"))
                var rows = #"{"Person": [\#(example), {"@id": "ada"}]}"#
                var exports: [String] = []
                for number in 1...2 {
                    let path = folder.appending(path: "rows\(number).json")
                    try Data(rows.utf8).write(to: path)
                    let store = "S\(number).sqlite"
                    let create = ["create", store, "--model", "M.xcdatamodel", "--rows", path.path]
                    let made = try momtool(create, in: folder)
                    #expect(made.status == 0, "\(example): \(made.errors)")
                    let export = ["export", store, "--model", "M.xcdatamodel"]
                    rows = try momtool(export, in: folder).output
                    exports.append(rows)
                }
                #expect(exports[0] == exports[1], "\(example)")
                for key in example.matches(of: /"(@?\w+)":/) where key.output.1 != "nick" {
                    #expect(exports[0].contains("\"\(key.output.1)\""), "\(example)")
                }
            }
        }
    }
}
