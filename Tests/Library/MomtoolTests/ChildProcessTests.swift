import Foundation
import Testing

@testable import FileSystem

struct ChildProcessTests {
    private static let environment = ProcessInfo.processInfo.environment

    private func run(_ words: String..., given bytes: [UInt8]) throws -> (
        output: [UInt8], errors: [UInt8], isWell: Bool
    ) {
        let process = try #require(ChildProcess(words, environment: Self.environment))
        let (output, errors) = try #require(process.exchange(bytes, within: .seconds(600)))
        return (output, errors, process.status() == 0)
    }

    @Test func `more than a pipe holds goes both ways at once`() throws {
        let bytes = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let result = try run("cat", given: bytes)
        #expect(result.output == bytes)
        #expect(result.errors.isEmpty && result.isWell)
    }

    @Test func `complaints that no pipe holds stop nobody`() throws {
        let script = "head -c 300000 /dev/zero >&2; echo done; cat >/dev/null; exit 3"
        let result = try run("sh", "-c", script, given: [UInt8](repeating: 65, count: 200_000))
        #expect(result.errors.count == 300_000)
        #expect(result.output == Array("done\n".utf8))
        #expect(!result.isWell)
    }

    @Test func `a program that says nothing is left when its time is over`() throws {
        let process = try #require(ChildProcess(["sleep", "600"], environment: Self.environment))
        #expect(process.exchange([], within: .milliseconds(200)) == nil)
        process.destroy()
        #expect(!process.isRunning)
    }

    @Test func `a program that computes is ended by the system`() throws {
        let words = ["sh", "-c", "while :; do :; done"]
        let process = try #require(ChildProcess(words, environment: Self.environment))
        process.limitProcessorTime(to: .seconds(1))
        #expect(process.exchange([], within: .seconds(600)) != nil)
        #expect(process.status() == nil)
    }

    @Test func `a program can be asked to end, whatever the thread that starts it blocks`() throws {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let result = try run("sh", "-c", "kill -TERM $$; echo lives", given: [])
        #expect(result.output.isEmpty)
        #expect(!result.isWell)
    }

    /// Another pipe ends with its writer here, however long a program runs that began meanwhile.
    @Test func `a program is given nothing that is open here`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let process = try #require(ChildProcess(["cat"], environment: Self.environment))
        close(ends[1])
        var reading = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&reading, 1, 10_000) == 1)
        #expect(reading.revents & Int16(POLLHUP) != 0)
        #expect(process.isRunning)
    }

    @Test(arguments: [
        (512, "512 bytes"), (1000, "1.0 kB"), (3_400_000, "3.4 MB"), (81_000_000_000, "81 GB"),
        (999_600, "1.0 MB"), (0, "0 bytes"),
    ])
    func `bytes are said as people say them`(_ bytes: Int, _ words: String) {
        #expect(byteWords(bytes) == words)
    }
}
