import Foundation
import TestSupport
import Testing

struct CloneTests {
    /// Ways to clone a repository whose release had another version, with the rule that check finds.
    private static let clones: [(words: String, rule: String?, status: Int32)] = [
        ("git clone -q file://$PWD/origin c", "locked-version-edited", 1),
        ("git clone -q --depth 1 file://$PWD/origin c", "not-checked", 0),
        ("git clone -q --no-tags file://$PWD/origin c", "not-checked", 0),
        (
            "git clone -q --depth 1 file://$PWD/origin c; echo 'releases: [v*]' > c/.momtool.yml",
            "not-checked", 1
        ),
        (
            "git -C origin config uploadpack.allowFilter 1; git clone -q --filter=blob:none file://$PWD/origin c",
            "not-checked", 1
        ),
        ("git clone -q --depth 1 -b v1 file://$PWD/origin c", nil, 0),
        (
            "git clone -q --depth 1 file://$PWD/origin c; echo 'lock: {unshipped: [V1]}' > c/.momtool.yml",
            nil, 0
        ),
        (
            """
            git init -q c; git -C c -c protocol.file.allow=always submodule add -q --depth 1 \
            file://$PWD/origin Lib
            """,
            nil, 0
        ),
        (
            "git clone -q --depth 1 file://$PWD/origin c; git -C c fetch -q --unshallow --tags",
            "locked-version-edited", 1
        ),
        (
            "git clone -q --depth 1 file://$PWD/origin c; git -C c fetch -q --tags",
            "locked-version-edited", 1
        ),
        ("git clone -q file://$PWD/origin c; git -C c tag -d v1", nil, 0),
    ]

    @Test(arguments: clones)
    func `a clone that lacks the tags of releases is noted without a lock`(
        words: String,
        rule: String?,
        status: Int32
    ) throws {
        try withFolder { folder in
            let origin = folder.appending(path: "origin")
            try writeBundle([textModel("A", ["a"])], "M.xcdatamodeld", in: origin)
            try commit("one", in: origin)
            try tag("v1", in: origin)
            try writeBundle([textModel("A", ["a", "b"])], "M.xcdatamodeld", in: origin)
            try commit("two", in: origin)
            #expect(try shell(words, in: folder).status == 0)
            let clone = folder.appending(path: "c")
            let said = try momtool(["check"], in: clone)
            #expect(said.status == status, "\(said.output)")
            let isFound = said.output.contains("[\(rule ?? "not-checked")]")
            #expect(isFound == (rule != nil), "\(said.output)")
            let compared = try momtool(["check", "--against", "HEAD"], in: clone)
            #expect(!compared.output.contains("fetch-depth"), "\(compared.output)")
            let lock = try momtool(["lock"], in: clone)
            #expect(lock.status == 0, "\(lock.errors)")
            #expect(lock.output.contains("git fetch") == (rule == "not-checked"), "\(lock.output)")
        }
    }

    @Test func `a release on another branch counts where none is behind, or by its full name`()
        throws
    {
        try withFolder { folder in
            func check(_ releases: String, _ status: Int32, _ rule: String) throws {
                try write("releases: [\"\(releases)\"]\n", ".momtool.yml", in: folder)
                let said = try momtool(["check"], in: folder)
                #expect(said.status == status, "\(releases): \(said.output)")
                #expect(said.output.contains("[\(rule)]"), "\(releases): \(said.output)")
            }
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle([textModel("A", ["a"])], at: bundle)
            try commit("one", in: folder)
            try tag("nightly", in: folder)
            #expect(try git("checkout", "-q", "-b", "release", in: folder).status == 0)
            try writeBundle([textModel("A", ["a", "b"])], at: bundle)
            try commit("two", in: folder)
            try tag("v1", in: folder)
            #expect(try git("checkout", "-q", "main", in: folder).status == 0)
            // The release comes after this commit.
            try check("v*", 0, "not-checked")
            try check("v1", 1, "locked-version-edited")
            try write("", "Other.txt", in: folder)
            try commit("three", in: folder)
            try check("v*", 1, "locked-version-edited")
            try check("w*", 0, "not-checked")
        }
    }

    @Test(arguments: [true, false])
    func `what a sparse checkout leaves out was not removed`(isLocked: Bool) throws {
        try withFolder { folder in
            for name in ["Kit", "Other"] {
                let place = folder.appending(path: name)
                try writeBundle([textModel(name, ["a"])], "\(name).xcdatamodeld", in: place)
            }
            if isLocked { #expect(try momtool(["lock"], in: folder).status == 0) }
            try commit("one", in: folder)
            #expect(try git("sparse-checkout", "set", "Kit", in: folder).status == 0)
            let said = try momtool(["check", "--against", "HEAD"], in: folder).output
            let rules = said.matches(of: /: (?:error|warning): .*\[([a-z-]+)\]/).map(\.output.1)
            #expect(rules == ["unseen-part"], "\(said)")
        }
    }
}
