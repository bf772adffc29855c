import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Models in the format of Xcode 3, and others that only judging rules find fault with, through the commands.
struct OldModelTests {
    private func writeOld(_ version: String, in folder: URL) throws {
        let url = folder.appending(path: version)
        try makeFolder(url)
        try LegacySample.library.elements.write(to: url.appending(path: "elements"))
        try write("layout", "layout", in: url)
    }

    @Test func `an old model goes through every command, and is converted`() throws {
        try withFolder { folder in
            try writeOld("M.xcdatamodeld/M.xcdatamodel", in: folder)
            try commit("Old", in: folder)
            let hash = try expectRun("hash M.xcdatamodeld", in: folder, 0)
            #expect(hash.errors.components(separatedBy: "legacy-model-format").count == 2)
            for words in [
                "lint M.xcdatamodeld", "graph M.xcdatamodeld", "compile M.xcdatamodeld -o out",
                "check .", "lock M.xcdatamodeld", "lock M.xcdatamodeld --check",
                "create M.sqlite --model M.xcdatamodeld", "verify M.sqlite --model M.xcdatamodeld",
                "hash M.xcdatamodeld/M.xcdatamodel", "hash M.xcdatamodeld/M.xcdatamodel/elements",
                "identify M.sqlite --model M.xcdatamodeld", "hash HEAD:M.xcdatamodeld",
                "hash HEAD:M.xcdatamodeld/M.xcdatamodel/elements",
                "identify M.sqlite --model M.xcdatamodeld --git",
            ] {
                try expectRun(words, in: folder, 0)
            }
            try expectRun("decompile M.xcdatamodeld -o New", in: folder, 0)
            let model = folder.appending(path: "M.xcdatamodeld")
            try FileManager.default.removeItem(at: model)
            try FileManager.default.moveItem(
                at: folder.appending(path: "New/M.xcdatamodeld"),
                to: model
            )
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "M.xcdatamodeld/M.xcdatamodel").path
            )
            #expect(names == ["contents"])
            let again = try momtool("hash M.xcdatamodeld", in: folder)
            #expect(again.output == hash.output)
            #expect(again.errors == "")
            let diff = try momtool(
                "diff M.xcdatamodeld --against HEAD --level hash --exit-code",
                in: folder
            )
            #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
            try expectRun("lock M.xcdatamodeld --check", in: folder, 0)
        }
    }

    @Test func `an old model that is not understood whole is not written anew`() throws {
        try withFolder { folder in
            let url = folder.appending(path: "M.xcdatamodel")
            try makeFolder(url)
            let sample = LegacySample(LegacySample.library.entities, configurations: ["Cloud"])
            try sample.elements.write(to: url.appending(path: "elements"))
            for words in ["decompile M.xcdatamodel -o new", "compile M.xcdatamodel -o out"] {
                try expectRun(words, in: folder, 65, errors: ["configurations ('Cloud')"])
            }
            #expect(try momtool("hash M.xcdatamodel", in: folder).output.contains("Book"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["elements"])
        }
    }

    @Test func `a property that is declared again has no hash, and the rest goes on`() throws {
        let name = "<attribute name='name' optional='YES' attributeType='String'/>"
        func model(_ more: String) -> String {
            """
            <model><entity name='A'>\(name)\(more)</entity><entity name='B' parentEntity='A'>\(name)\
            </entity><entity name='C' parentEntity='B'/><entity name='D'>\(name)</entity></model>
            """
        }
        try withFolder { folder in
            let date = "<attribute name='date' optional='YES' attributeType='Date'/>"
            let plain = "<model><entity name='D'>\(name)</entity></model>"
            try writeBundle([plain, model(""), model(date)], "M.xcdatamodeld", in: folder)
            let hash = try expectRun("hash M.xcdatamodeld#V3", in: folder, 1)
            let unknown = hash.output.split(separator: "\n").filter {
                $0.hasSuffix(" not understood") && !$0.contains("an entity is")
            }
            #expect(unknown.map { $0.split(separator: " ")[0] } == ["B", "C"])
            #expect(hash.errors.contains("property 'name' is inherited from 'A' already"))
            let explained = try momtool("hash M.xcdatamodeld#V3 --explain C", in: folder)
            #expect(explained.errors.contains("'B.name' is declared by a parent entity too"))
            for (words, status) in [
                ("diff M.xcdatamodeld --from V2 --to V3", Int32(1)),
                ("plan M.xcdatamodeld --from V2 --to V3", 0),
                ("graph M.xcdatamodeld", 1), ("compile M.xcdatamodeld -o out", 0),
                ("create M.sqlite --model M.xcdatamodeld#V1", 0),
            ] {
                try expectRun(words, in: folder, status)
            }
            for words in [
                "create N.sqlite --model M.xcdatamodeld#V3",
                "migrate M.sqlite --model M.xcdatamodeld -o N.sqlite",
            ] {
                let result = try momtool(words, in: folder)
                #expect(result.status == 3, "\(words): \(result.errors)")
                #expect(result.errors.contains("the version hash of 'B' is not known"))
            }
        }
    }

    @Test func `an inverse that is missing is an error of lint alone`() throws {
        try withFolder { folder in
            let source = """
                <model><entity name='A'><relationship name='r' optional='YES' maxCount='1' \
                destinationEntity='A' inverseEntity='A' inverseName='s'/></entity></model>
                """
            try writeBundle(["M": source], "M.xcdatamodeld", in: folder)
            for words in ["hash M.xcdatamodeld", "compile M.xcdatamodeld -o out"] {
                let result = try momtool(words, in: folder)
                #expect(result.status == 0, "\(words): \(result.errors)")
                #expect(result.errors.contains("warning: the inverse 's' does not exist"))
            }
            try expectRun("lint M.xcdatamodeld", in: folder, 1, "[broken-inverse]")
            let again = try momtool("hash out/M.momd", in: folder)
            #expect(again.output == (try momtool("hash M.xcdatamodeld", in: folder)).output)
        }
    }

    @Test func `optimized models are named for what they are in every bundle`() throws {
        try withFolder { folder in
            let source = "<model><entity name='A'/></model>"
            try writeBundle([source, source], "M.xcdatamodeld", in: folder)
            #expect(try momtool("compile M.xcdatamodeld -o .", in: folder).status == 0)
            let omo = folder.appending(path: "M.momd/V2.omo")
            try Data("momv2$srsraori55".utf8).write(to: omo)
            #expect(try momtool("hash M.momd", in: folder).errors == "")
            try FileManager.default.removeItem(at: folder.appending(path: "M.momd/V2.mom"))
            let hash = try momtool("hash M.momd", in: folder)
            #expect(hash.errors.contains("'V2' is there only as an optimized model (.omo)"))
            #expect(hash.errors.contains("[optimized-model]"))
            for path in ["Loose", "App.app"] {
                let place = folder.appending(path: path)
                try makeFolder(place)
                try copyFile(omo, to: place.appending(path: "V2.omo"))
                let hash = try momtool("hash \(path)", in: folder)
                #expect(hash.status != 0)
                #expect(hash.errors.contains("optimized models (.omo) alone"), "\(hash.errors)")
            }
            #expect(try git("init", "-q", in: folder).status == 0)
            #expect(try git("add", "Loose", "App.app", in: folder).status == 0)
            #expect(try git("commit", "-qm", "Optimized", in: folder).status == 0)
            try expectRun("hash HEAD:Loose/V2.omo", in: folder, nil, errors: ["[optimized-model]"])
        }
    }
}
