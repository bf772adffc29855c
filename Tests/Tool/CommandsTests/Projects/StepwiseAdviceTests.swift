import Foundation
import TestSupport
import Testing

struct StepwiseAdviceTests {
    private static let advice = "say migration: stepwise in .momtool.yml"

    private func model(_ attribute: String) -> String {
        "<model><entity name='Item'><attribute name='name' optional='YES' attributeType='String'/>\(attribute)</entity></model>"
    }

    /// A value becomes mandatory: `V2` has a default for it, which `V3` lacks.
    private func write(_ second: String, in folder: URL) throws {
        let code = "<attribute name='code' attributeType='String'"
        try writeBundle(
            [
                "V1": model(""), "V2": model("\(code) \(second)/>"),
                "V3": model("\(code)/><attribute name='day' optional='YES' attributeType='Date'/>"),
            ],
            current: "V3",
            at: folder.appending(path: "Shop.xcdatamodeld")
        )
        try Data("{\"Item\": [{\"@id\": \"a\", \"name\": \"A\"}]}".utf8)
            .write(to: folder.appending(path: "rows.json"))
        let made = try momtool(
            [
                "create", "S.sqlite", "--model", "Shop.xcdatamodeld", "--version", "V1", "--rows",
                "rows.json",
            ],
            in: folder
        )
        #expect(made.status == 0, "\(made.errors)")
        let place = folder.appending(path: "Cases/all")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let text = """
            model: ../../Shop.xcdatamodeld
            from: V1
            before: {Item: {name: A}}
            after: {Item: {name: A, code: none}}

            """
        try Data(text.utf8).write(to: place.appending(path: "case.yml"))
    }

    private static let commands = [
        ["migrate", "S.sqlite", "--model", "Shop.xcdatamodeld", "-o", "N.sqlite"],
        ["plan", "Shop.xcdatamodeld", "--store", "S.sqlite"], ["test", "Cases"], ["check"],
        ["test", "--matrix", "Shop.xcdatamodeld"],
        ["test", "--model", "Shop.xcdatamodeld", "--stores", "S.sqlite"],
    ]

    @Test(arguments: commands)
    func `what every step would do is proposed`(command: [String]) throws {
        try withFolder { folder in
            try write("defaultValueString='none'", in: folder)
            let refused = try momtool(command, in: folder)
            let text = refused.output + refused.errors
            #expect(text.contains(Self.advice), "\(text)")
            try Data("migration: stepwise\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            let done = try momtool(command, in: folder)
            #expect(done.status == 0, "\(done.output)\(done.errors)")
            #expect(!(done.output + done.errors).contains(Self.advice))
        }
    }

    @Test(arguments: commands)
    func `what no step does is not proposed`(command: [String]) throws {
        try withFolder { folder in
            try write("", in: folder)
            let refused = try momtool(command, in: folder)
            let text = refused.output + refused.errors
            #expect(!text.contains(Self.advice), "\(text)")
        }
    }
}
