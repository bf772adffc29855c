import Foundation
import FuzzTargets
import TestSupport

struct FuzzOptions {
    static let memoryLimit: rlim_t = 512 << 20
    static let timeLimit = 2
    /// The seconds after which an input that does not end is given up.
    static let patience = 60.0
    #if os(Linux)
        static let dataLimit = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    #else
        static let dataLimit = RLIMIT_DATA
    #endif

    var targets = FuzzTarget.all
    var inputs = 10_000
    var seed: UInt64 = 1
    var findings = "fuzz-findings"
    var input: String?
    /// The number of the first input; only a watched process gets one.
    var first = 0
    var counterPath = ""

    var isWorker: Bool { !counterPath.isEmpty }

    init(_ arguments: [String]) throws {
        var names: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                names.append(argument)
                continue
            }
            guard let value = rest.popFirst() else { throw Problem("\(argument) needs a value") }
            switch argument {
            case "--inputs": inputs = try Self.number(value, of: argument)
            case "--seed": seed = UInt64(try Self.number(value, of: argument))
            case "--first": first = try Self.number(value, of: argument)
            case "--input": input = value
            case "--findings": findings = value
            case "--counter": counterPath = value
            default: throw Problem("there is no \(argument)")
            }
        }
        guard !names.isEmpty else { return }
        targets = try names.map { name in
            guard let target = FuzzTarget.named(name) else {
                let all = FuzzTarget.all.map(\.name).joined(separator: ", ")
                throw Problem("there is no target \(name); there are \(all)")
            }
            return target
        }
    }

    private static func number(_ text: String, of argument: String) throws -> Int {
        guard let number = Int(text), number >= 0 else {
            throw Problem("\(argument) needs a number")
        }
        return number
    }

    func mutator(of target: FuzzTarget) -> Mutator {
        let folders = ["Models", "Fixtures"].map { Corpus.package.appending(path: $0) }
        let seeds = target.seeds(below: folders + [Corpus.folder])
        return Mutator(seeds: seeds, tokens: target.tokens)
    }
}

struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The progress of a process, in a file that both it and its watcher have mapped: it outlives a trap.
final class FuzzCounter {
    private let words: UnsafeMutablePointer<Int>

    init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, 16) == 0 else {
            throw Problem("\(path) cannot be written")
        }
        defer { close(descriptor) }
        let page = mmap(nil, 16, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let page, page != MAP_FAILED else { throw Problem("\(path) cannot be mapped") }
        words = page.assumingMemoryBound(to: Int.self)
    }

    deinit { munmap(words, 16) }

    var value: Int {
        get { words[0] }
        set { words[0] = newValue }
    }

    var refused: Int {
        get { words[1] }
        set { words[1] = newValue }
    }
}
