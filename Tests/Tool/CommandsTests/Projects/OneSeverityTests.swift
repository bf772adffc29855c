import Foundation
import TestSupport
import Testing

struct OneSeverityTests {
    private static let head =
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        + "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\n"

    private func model(_ body: String) -> String { Self.head + body + "\n</model>\n" }

    private func entity(_ attributes: String...) -> String {
        "<entity name=\"Item\">\n" + attributes.joined(separator: "\n") + "\n</entity>"
    }

    private func attribute(_ name: String, _ rest: String = "attributeType=\"String\"") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" \(rest)/>"
    }

    private func write(_ versions: [String: String], current: String, in folder: URL) throws {
        try writeBundle(
            versions.mapValues(model),
            "Shop.xcdatamodeld",
            in: folder,
            current: current
        )
    }

    private func lines(_ words: [String], _ rule: String, in folder: URL) throws -> [String] {
        let result = try momtool(words, in: folder)
        return (result.output + "\n" + result.errors).split(separator: "\n").map(String.init)
            .filter { $0.hasSuffix("[\(rule)]") }
    }

    private static let commands = [
        ["lint", "Shop.xcdatamodeld"], ["check"], ["hash", "Shop.xcdatamodeld"],
        ["lock", "Shop.xcdatamodeld"], ["diff", "Shop.xcdatamodeld", "--from", "V1", "--to", "V3"],
        ["plan", "Shop.xcdatamodeld", "--from", "V1"], ["test", "--matrix", "Shop.xcdatamodeld"],
    ]

    /// The commands whose answer does not depend on a version between the two named ones.
    private static let indifferent = ["diff", "plan"]

    @Test(arguments: ["V3", "V2"])
    func `an unresolved conflict is told once, as an error where the answer may depend on it`(
        _ current: String
    ) throws {
        try withFolder { folder in
            let conflict =
                "<<<<<<< ours\n\(attribute("a"))\n=======\n\(attribute("b"))\n>>>>>>> theirs"
            let versions = [
                "V1": entity(attribute("a")), "V2": entity(conflict),
                "V3": entity(attribute("a"), attribute("c")),
            ]
            try write(versions, current: current, in: folder)
            for words in Self.commands {
                let told = try lines(words, "merge-conflict", in: folder)
                #expect(told.count == 1, "\(words): \(told)")
                let isWarning =
                    Self.indifferent.contains(words[0]) || words[0] == "test" && current == "V3"
                let asked = words[0] == "plan" && current == "V2"
                let severity = isWarning && !asked ? ": warning: " : ": error: "
                #expect(told.first?.contains(severity) == true, "\(words): \(told)")
            }
            #expect(try momtool("hash Shop.xcdatamodeld", in: folder).status == 65)
            #expect(try momtool("lock Shop.xcdatamodeld", in: folder).status == 1)
        }
    }

    @Test func `what a newer Xcode wrote is one warning in every command`() throws {
        try withFolder { folder in
            let versions = [
                "V1": entity(attribute("a")), "V2": entity(attribute("a"), attribute("b")),
                "V3": entity(attribute("a"), attribute("c", "attributeType=\"Vector\"")),
            ]
            try write(versions, current: "V3", in: folder)
            for words in Self.commands {
                let told = try lines(words, "unknown-attribute-type", in: folder)
                #expect(told.count == 1, "\(words): \(told)")
                #expect(told.first?.contains(": warning: ") == true, "\(words): \(told)")
            }
            let plan = try momtool("plan Shop.xcdatamodeld --from V1", in: folder)
            #expect(plan.status == 65)
            #expect(plan.errors.contains("error: all of the model is needed here"))
        }
    }

    @Test func `a delete rule of a newer Xcode is a warning`() throws {
        try withFolder { folder in
            let rule =
                "<relationship name=\"next\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Explode\" destinationEntity=\"Item\"/>"
            try write(["V1": entity(attribute("a"), rule)], current: "V1", in: folder)
            for words in [
                ["lint", "Shop.xcdatamodeld"], ["hash", "Shop.xcdatamodeld"], ["check"],
            ] {
                let told = try lines(words, "unknown-keyword", in: folder)
                #expect(told.count == 1 && told[0].contains(": warning: "), "\(words): \(told)")
            }
        }
    }

    @Test
    func `a suspected rename is in diff what it is in lint, and nothing between equal hashes`()
        throws
    {
        try withFolder { folder in
            let versions = ["V1": entity(attribute("label")), "V2": entity(attribute("labels"))]
            try write(versions, current: "V2", in: folder)
            for words in [["lint", "Shop.xcdatamodeld"], ["diff", "Shop.xcdatamodeld"]] {
                let told = try lines(words, "undeclared-rename", in: folder)
                #expect(told.count == 1 && told[0].contains(": error: "), "\(words): \(told)")
            }
            try Data("losses: {V2: [Item.label]}\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            for words in [["lint", "Shop.xcdatamodeld"], ["diff", "Shop.xcdatamodeld"]] {
                #expect(try lines(words, "undeclared-rename", in: folder).isEmpty)
            }
        }
        try withFolder { folder in
            let transient = "transient=\"YES\" attributeType=\"String\""
            let versions = [
                "V1": entity(attribute("a"), attribute("label", transient)),
                "V2": entity(attribute("a"), attribute("labels", transient)),
            ]
            try write(versions, current: "V2", in: folder)
            try expectRun("diff Shop.xcdatamodeld", in: folder, nil, not: ["dropped"])
        }
    }

    @Test func `a version that only adds indexes is told once`() throws {
        try withFolder { folder in
            let index =
                "<fetchIndex name=\"byA\"><fetchIndexElement property=\"a\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
            let versions = ["V1": entity(attribute("a")), "V2": entity(attribute("a"), index)]
            try write(versions, current: "V2", in: folder)
            let words = ["lint", "Shop.xcdatamodeld"]
            #expect(try lines(words, "index-only-version", in: folder).count == 1)
            #expect(try lines(words, "equal-checksums", in: folder).isEmpty)
        }
    }

    @Test func `findings of settings and of stages have the path from here`() throws {
        try withFolder { folder in
            let versions = [
                "V1": entity(attribute("a")), "V2": entity(attribute("a"), attribute("b")),
            ]
            try write(versions, current: "V2", in: folder)
            let settings = "stages: [Stages.yml]\nlosses: {V2: [Item.nothing]}\n"
            try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
            try Data("model: Shop.xcdatamodeld\nstages:\n  - lightweight: [V2]\n".utf8)
                .write(to: folder.appending(path: "Stages.yml"))
            for words in [["lint", "Shop.xcdatamodeld"], ["check"]] {
                let unmatched = try lines(words, "unmatched-loss", in: folder)
                #expect(unmatched.first?.hasPrefix(".momtool.yml:2:") == true, "\(unmatched)")
                let stages = try lines(words, "stages-fail", in: folder)
                #expect(stages.first?.hasPrefix("Stages.yml") == true, "\(stages)")
            }
        }
    }

    @Test func `a rename that lint declares is written where Xcode has it`() throws {
        try withFolder { folder in
            func contents(_ name: String) -> String {
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" systemVersion="23B81" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
                    <entity name="Item" representedClassName="Item" syncable="YES" codeGenerationType="class">
                        <attribute name="\(name)" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                    </entity>
                </model>
                """
            }
            try writeBundle(
                [contents("opened"), contents("openedAt")],
                "Shop.xcdatamodeld",
                in: folder
            )
            try expectRun("lint Shop.xcdatamodeld --fix", in: folder, 0, not: ["[source-form]"])
            let file = folder.appending(path: "Shop.xcdatamodeld/V2.xcdatamodel/contents")
            let text = try fileText(file)
            #expect(text.contains("usesScalarValueType=\"NO\" elementID=\"opened\"/>"), "\(text)")
        }
    }

    @Test func `a lock that was written by hand hides no loss`() throws {
        try withFolder { folder in
            try ModelEdit.losing[0].write(in: folder)
            let settings = folder.appending(path: ".momtool.yml")
            try Data("allowDataLoss: true\n".utf8).write(to: settings)
            #expect(try momtool("lock Stops.xcdatamodeld", in: folder).status == 0)
            try FileManager.default.removeItem(at: settings)
            let file = folder.appending(path: "Stops.xcdatamodeld.lock")
            let lock = try fileText(file)
            let forged = lock.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.hasPrefix("loses ") }.joined(separator: "\n")
            #expect(forged != lock)
            try Data(forged.utf8).write(to: file)
            for words in [["lint", "Stops.xcdatamodeld"], ["check"]] {
                let told = try lines(words, "data-loss", in: folder)
                #expect(told.count == 1 && told[0].contains(": error: "), "\(words): \(told)")
            }
            // A lock of an older release has no unnamed losses; locking again records them.
            let old = forged.replacing("# momtool lock 3:", with: "# momtool lock 2:")
            #expect(old != forged)
            try Data(old.utf8).write(to: file)
            #expect(try momtool("lint Stops.xcdatamodeld", in: folder).status == 0)
            #expect(try momtool("lock Stops.xcdatamodeld", in: folder).status == 0)
            let new = try fileText(file)
            #expect(new.contains("# momtool lock 3:") && new.contains("\nloses *\n"), "\(new)")
            #expect(try momtool("check", in: folder).status == 0)
        }
    }
}

struct SilentRuleTests {
    @Test func `a rule that is off is no stricter than one whose findings are notes`() throws {
        try withFolder { folder in
            try ShopVersions.write(
                [ShopVersions.source("name", "code"), ShopVersions.source("name")],
                in: folder
            )
            #expect(try momtool("check", in: folder).status == 1)
            for (setting, isSaid) in [("note", true), ("off", false)] {
                try ShopVersions.say("lint: {rules: {data-loss: \(setting)}}\n", in: folder)
                let check = try expectRun("check", in: folder, 0)
                #expect(check.output.contains("[data-loss]") == isSaid, "\(check.output)")
            }
        }
    }
}
