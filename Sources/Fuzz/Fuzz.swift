import Foundation
import FuzzTargets

/// Feeds mutated inputs to every reader of hostile input, in processes that are watched.
///
/// `Fuzz [--inputs N] [--seed S] [--findings DIR] [TARGET …]` feeds each target N inputs. A trap, more than two
/// seconds for an input or more than 512 MB of memory is a finding: the input is written to the folder of
/// findings, and the run goes on behind it. The exit status is 1 when there are findings. The same seed gives the
/// same inputs, but for files of the corpus that came or went.
@main
enum Fuzz {
    static func main() throws {
        let options = try FuzzOptions(Array(CommandLine.arguments.dropFirst()))
        if options.isWorker {
            try work(options)
            return
        }
        var findings = 0
        for target in options.targets {
            var watch = FuzzWatch(target: target, options: options)
            try watch.run()
            print(watch.summary)
            findings += watch.findings.count
        }
        print("\(options.targets.count) targets, \(findings) findings")
        exit(findings == 0 ? 0 : 1)
    }

    /// Feeds inputs one after another and says before each which it is.
    private static func work(_ options: FuzzOptions) throws {
        guard let target = options.targets.first else { return }
        var limit = rlimit(rlim_cur: FuzzOptions.memoryLimit, rlim_max: FuzzOptions.memoryLimit)
        setrlimit(FuzzOptions.dataLimit, &limit)
        let mutator = options.mutator(of: target)
        let counter = try FuzzCounter(path: options.counterPath)
        for number in options.first..<options.inputs {
            counter.value = number
            if case .refused = target.run(mutator.input(number, seed: options.seed)) {
                counter.refused += 1
            }
        }
        counter.value = options.inputs
    }
}
