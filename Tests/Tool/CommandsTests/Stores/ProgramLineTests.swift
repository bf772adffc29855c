import Foundation
import TestSupport
import Testing

struct ProgramLineTests {
    private static let count = 7

    private static let faults: [(name: String, what: String, said: String)] = [
        ("a kill", "os.kill(os.getpid(), 9)", "a signal ended it"),
        ("a hang", "time.sleep(1000)", "took too long"),
        ("garbage", "os.write(1, b'what\\n')", "no object of JSON"),
        ("half a line", "os.write(1, b'{\"@id\"'); os._exit(0)", "no object of JSON"),
        ("a failure", "os._exit(3)", "ended with status 3"),
        ("a broken pipe", "os.close(0); os.close(1); os._exit(0)", "before it had"),
    ]

    /// A program that answers line by line, without reading ahead, and fails before it reads one of them, or at the end
    /// of its input.
    private static func text(_ what: String, at place: Int) -> String {
        """
        import os, sys, time

        def fail():
            \(what)

        place, line = 0, b""
        while True:
            if place == \(place):
                fail()
            sign = os.read(0, 1)
            if not sign:
                break
            line += sign
            if sign == b"\\n":
                place, line = place + 1, b""
                os.write(1, b'{"@id": "Person/p1", "given": "x"}\\n')
        if place + 1 == \(place):
            fail()
        """
    }

    private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
        FileManager.default.fileExists(atPath: $0)
    }

    @Test(.enabled(if: hasPython), arguments: faults.indices)
    func `whatever goes wrong at whichever line, the old store stays`(_ index: Int) throws {
        let fault = Self.faults[index]
        try ProgramStageTests().withStore("", count: Self.count - 1) { folder, arguments in
            let store = folder.appending(path: "Store.sqlite")
            let before = try Data(contentsOf: store)
            let script = folder.appending(path: "work.py")
            // A program that has read everything, and ends well, is done, whatever it closed before.
            let end = fault.name == "a broken pipe" ? Self.count - 1 : Self.count + 1
            // Only what hangs may run out of time, however slow the machine is.
            let patience = fault.name == "a hang" ? "1" : "600"
            for place in 0...end {
                try Data(Self.text(fault.what, at: place).utf8).write(to: script)
                let result = try momtool(arguments + ["--allow-programs", "--timeout", patience])
                let title = "\(fault.name) at line \(place): \(result.errors)"
                #expect(result.status == 4, "\(title)")
                #expect(result.errors.contains(fault.said), "\(title)")
                #expect(try Data(contentsOf: store) == before, "\(title)")
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(left.filter { $0.hasPrefix("Store") } == ["Store.sqlite"], "\(title)")
            }
            try Data(Self.text("pass", at: 0).utf8).write(to: script)
            let result = try momtool(arguments + ["--allow-programs", "--timeout", "600"])
            #expect(result.status == 0, "\(result.errors)")
        }
    }
}
