import Foundation
import TestSupport
import Testing

/// Transcripts call the driver as git does; here git itself does.
struct DiffCommandTests {
    @Test(arguments: ["", " --exit-code"])
    func `git shows models by the driver, and the files behind one that is not understood`(
        option: String
    ) throws {
        try withFolder { folder in
            func write(_ name: String, _ type: String) throws {
                let attribute = "<attribute name='a' attributeType='\(type)'/>"
                let model = "<model>\n<entity name='A'>\n\(attribute)\n</entity>\n</model>\n"
                try TestSupport.write(model, "\(name).xcdatamodel/contents", in: folder)
            }
            for name in ["M1", "M2", "M.xcdatamodeld/V1"] { try write(name, "Integer 16") }
            try TestSupport.write("**/contents diff=momtool\n", ".gitattributes", in: folder)
            try commit("one", in: folder)
            try write("M1", "Integr 16")
            try write("M2", "Integer 32")
            try write("M.xcdatamodeld/V2", "Integer 64")
            try git("add", "-A", in: folder)
            let driver = "diff.momtool.command=\(commandFolder)/momtool diff --git-driver"
            let shown = try git("-c", driver + option, "diff", "--cached", in: folder)
            #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
            for words in [
                "M1.xcdatamodel/contents ", "attributeType='Integr 16'",
                "old M2.xcdatamodel/contents → new", "type: Integer 16 → Integer 32",
                "'V1', ", "type: Integer 16 → Integer 64",
            ] { #expect(shown.output.contains(words), "\(shown.output)") }
        }
    }
}
