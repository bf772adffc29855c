import Foundation
import TestSupport
import Testing

/// How commands end in situations that no recorded run has, or in which one part of a condition decides.
struct RareEndTests {
    private static let start = """
        $ model M.xcdatamodeld
        > V1 Item(code String?, size Integer 64?)
        > V2 Item(code String?, size Integer 16?)
        > V3 Item(code String?, size Integer 16?, note String)
        $ model N.xcdatamodeld
        > V1 Item(code String?)
        $ write Old.swift
        > import SwiftData
        > @Model class Item { var a: Int = 0
        >  var numbers: Set<Int> = [] }
        $ write Half.swift
        > import SwiftData
        > @Model class Item { var a: Int = 0
        >  var strange: Strange? }
        $ write New.swift
        > import SwiftData
        > @Model class Item { var a: Int = 0 }
        $ write Newer.swift
        > import SwiftData
        > @Model class Item { var a: Int = 0
        >  var b: Int = 0 }
        $ momtool create S.sqlite --model M.xcdatamodeld#V1
        $ sqlite S.sqlite "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 100000)" "UPDATE Z_PRIMARYKEY SET Z_MAX = 1"
        $ copy S.sqlite T.sqlite
        $ sqlite T.sqlite "UPDATE ZITEM SET ZSIZE = 5"
        $ copy S.sqlite Bare.sqlite
        $ sqlite Bare.sqlite "DELETE FROM Z_MODELCACHE"
        $ copy S.sqlite Bad.sqlite
        $ sqlite Bad.sqlite "UPDATE ZITEM SET ZSIZE = 'x'"
        $ write Empty.lst
        $ write log.txt
        > error 134100
        $ write Cases/skipped/case.yml
        > skip: later
        > model: ../../M.xcdatamodeld
        > from: V1
        > to: V2
        > before: {}
        > after: {}
        """

    /// The status, the rule that is printed, or a hyphen, and the command.
    private static let ends = """
        64 usage model new-version Old.swift --keep-current
        64 usage model new-version M.xcdatamodeld --as-of HEAD
        64 usage model new-version M.xcdatamodeld --edit-locked
        64 usage model new-version M.xcdatamodeld --bridge V1
        3 impossible-edit model remove M.xcdatamodeld Item.nothing
        3 impossible-edit model rename M.xcdatamodeld Item.code size
        65 impossible-edit model apply M.xcdatamodeld log.txt
        66 unreadable-file model merge a b c -o d

        66 no-cases test Cases
        66 no-cases test Nowhere
        66 no-cases test Cases --filter nothing
        66 no-cases test --matrix N.xcdatamodeld
        66 no-cases test --model M.xcdatamodeld --stores X*.sqlite

        64 usage diff M.xcdatamodeld N.xcdatamodeld --against HEAD
        64 usage diff M.xcdatamodeld --from V1 --to V2 --by Item=code
        64 usage diff S.sqlite T.sqlite --from V1
        0 - diff S.sqlite T.sqlite
        2 - diff S.sqlite T.sqlite --exit-code
        0 - diff S.sqlite S.sqlite --exit-code
        0 - diff M.xcdatamodeld --from V1 --to V2
        2 - diff M.xcdatamodeld --from V1 --to V2 --exit-code
        1 - diff Old.swift New.swift
        1 - diff New.swift Old.swift
        2 - diff New.swift Newer.swift --exit-code
        66 not-a-model diff Bare.sqlite S.sqlite

        64 usage hash M.xcdatamodeld --fit S.sqlite
        1 - hash Old.swift
        1 - hash Old.swift --explain Item
        64 unknown-entity hash M.xcdatamodeld --explain Nothing
        64 usage lock M.xcdatamodeld --check --relock
        64 usage lock M.xcdatamodeld --check --dry-run
        64 usage lock M.xcdatamodeld --check --version V1
        64 usage lock M.xcdatamodeld --check --from-store S.sqlite
        64 usage lock M.xcdatamodeld N.xcdatamodeld --lock x.lock
        64 usage lock M.xcdatamodeld N.xcdatamodeld --version V1
        64 usage lock M.xcdatamodeld N.xcdatamodeld --from-store S.sqlite
        64 usage lock M.xcdatamodeld --format sarif
        66 unreadable-file lock M.xcdatamodeld --check
        66 unreadable-file lock M.xcdatamodeld --check --lock x.lock

        64 usage doctor S.sqlite --version V1
        64 usage doctor Bare.sqlite --git
        64 usage doctor log.txt log.txt
        65 nothing-recognized doctor 999999
        0 - doctor T.sqlite
        1 - doctor Bad.sqlite
        66 unverified-store verify Bare.sqlite
        66 not-a-model export Bare.sqlite
        66 no-stores verify --from-list Empty.lst
        66 no-stores export --from-list Empty.lst -o Out
        1 - verify Bad.sqlite
        1 - export Bad.sqlite -o Bad.json

        1 - plan M.xcdatamodeld#V2 --store S.sqlite
        0 - plan M.xcdatamodeld#V2 --store T.sqlite
        3 - plan M.xcdatamodeld --store S.sqlite
        3 rows-at-stake migrate S.sqlite --model M.xcdatamodeld#V2 -o Mig.sqlite
        0 - migrate S.sqlite --model M.xcdatamodeld#V2 -o Mig.sqlite --allow-data-loss
        3 - repair Bad.sqlite -o Rep.sqlite
        73 file-exists create S.sqlite --model M.xcdatamodeld
        66 unreadable-file create X.sqlite --model M.xcdatamodeld --rows none.json
        65 invalid-json create X.sqlite --model M.xcdatamodeld --rows log.txt
        64 unknown-entity inspect M.xcdatamodeld --entity Nothing
        64 unknown-entity inspect S.sqlite --entity Nothing
        64 unknown-version plan M.xcdatamodeld --from V1 --to V9

        1 - cloudkit diff Old.swift New.swift
        1 - cloudkit diff Half.swift New.swift
        1 - cloudkit diff New.swift Half.swift
        1 - cloudkit diff New.swift Old.swift
        1 - cloudkit diff Old.swift Old.swift --exit-code
        0 - cloudkit diff New.swift Newer.swift
        2 - cloudkit diff New.swift Newer.swift --exit-code
        0 - cloudkit diff New.swift New.swift --exit-code
        1 cloudkit-refused-change cloudkit diff Newer.swift New.swift --exit-code
        3 unknown-configuration cloudkit diff M.xcdatamodeld New.swift --configuration Nothing
        3 unknown-configuration cloudkit schema M.xcdatamodeld --configuration Nothing
        64 malformed-cloudkit-schema cloudkit check M.xcdatamodeld N.xcdatamodeld
        65 malformed-cloudkit-schema cloudkit check M.xcdatamodeld log.txt
        1 - cloudkit schema Old.swift

        1 - graph Old.swift
        64 unknown-entity graph M.xcdatamodeld --entity Nothing
        65 incomplete-model compile Old.swift -o O.mom
        64 unsuitable-output compile M.xcdatamodeld/V1.xcdatamodel -o O.momd
        64 usage compile M.xcdatamodeld -o -
        66 unreadable-file compile Nowhere.xcdatamodeld -o O.momd
        65 not-a-model compile S.sqlite -o O.momd
        66 unreadable-file check Nowhere
        64 usage check S.sqlite
        66 no-cases config --test
        66 unreadable-file config Nowhere
        64 usage rules missing-inverse --format sarif
        66 unreadable-file init Nowhere
        66 nothing-to-check init Cases
        65 not-a-report accept report log.txt
        """.components(separatedBy: "\n\n")

    @Test(arguments: ends) func `a command ends with the status of its situation`(
        lines: String
    ) throws {
        try withFolder { folder in
            let shell = TranscriptShell(folder: folder)
            for step in try Transcript(Self.start).setUp.steps { _ = try shell.answer(to: step) }
            for line in lines.split(separator: "\n") {
                let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
                let run = try momtool(parts[2], in: folder)
                #expect(run.status == Int32(parts[0]), "\(line): \(run)")
                let isNamed = (run.output + run.errors).contains("[\(parts[1])]")
                #expect(isNamed || parts[1] == "-", "\(line): \(run)")
            }
        }
    }

    /// What makes a repaired store no result of an earlier run, by its severity.
    @Test(arguments: [
        ("note", "CREATE INDEX mine ON ZB (Z_OPT)", 0),
        ("warning", "UPDATE ZB SET Z_FOK_A = NULL", 73),
        ("error", "UPDATE ZB SET Z_ENT = 99", 73),
    ])
    func `a result with more than notes is not taken for done`(
        severity: String,
        sql: String,
        status: Int32
    ) throws {
        let start = """
            $ model M.xcdatamodeld
            > V1 <entity name='A'><relationship name='b' optional='YES' toMany='YES' ordered='YES' destinationEntity='B' inverseName='a' inverseEntity='B'/></entity>
            > V1 <entity name='B'><relationship name='a' optional='YES' maxCount='1' destinationEntity='A' inverseName='b' inverseEntity='A'/></entity>
            $ momtool create S.sqlite --model M.xcdatamodeld
            $ sqlite S.sqlite "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)" "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA, Z_FOK_A) VALUES (1, 2, 1, 1, 1)"
            $ momtool repair S.sqlite --model M.xcdatamodeld -o New.sqlite
            $ sqlite New.sqlite "\(sql)"
            """
        try withFolder { folder in
            let shell = TranscriptShell(folder: folder)
            for step in try Transcript(start).setUp.steps { _ = try shell.answer(to: step) }
            try expectRun(
                "verify New.sqlite --model M.xcdatamodeld",
                in: folder,
                status == 0 ? 0 : 1,
                ": \(severity): "
            )
            let again = "repair S.sqlite --model M.xcdatamodeld -o New.sqlite --skip-done"
            try expectRun(again, in: folder, status, errors: status == 0 ? [] : ["[file-exists]"])
        }
    }

    @Test(arguments: [
        "", "-o New.sqlite", "--backup Before.sqlite",
        "missing", "missing -o New.sqlite", "missing --backup Before.sqlite",
    ])
    func `a repair that leaves an error ends with 1, whatever it writes`(line: String) throws {
        let start = """
            $ model M.xcdatamodeld
            > V1 <entity name='A'/>
            $ momtool create S.sqlite --model M.xcdatamodeld
            $ sqlite S.sqlite "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (9223372036854775807, 1, 1)"
            """
        let lost =
            "$ sqlite S.sqlite \"UPDATE Z_METADATA SET Z_UUID = ''\""
        try withFolder { folder in
            let shell = TranscriptShell(folder: folder)
            let isMissing = line.hasPrefix("missing")
            for step in try Transcript(isMissing ? "\(start)\n\(lost)" : start).setUp.steps {
                _ = try shell.answer(to: step)
            }
            let options = isMissing ? String(line.dropFirst(7)) : line
            let command = "repair S.sqlite --model M.xcdatamodeld \(options)"
            let run = try momtool(command, in: folder)
            #expect(run.status == 1 && run.output.contains("[excessive-key]"), "\(run)")
        }
    }
}
