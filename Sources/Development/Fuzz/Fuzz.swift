import Foundation
import FuzzTargets

/// Feeds mutated inputs to every reader of hostile input, in processes that are watched.
///
/// `Fuzz [--inputs N] [--seed S] [--findings DIR] [TARGET …]` feeds each target N inputs. A trap, more than two seconds
/// of processor time for an input or more than 512 MB of memory is a finding: the input is written to the folder of
/// findings, and the run goes on after it. The exit status is 1 when there are findings. The same seed gives the same
/// inputs, but for files of the corpus that came or went. `Fuzz TARGET --input FILE` feeds one file and prints the
/// result.
@main
enum Fuzz {
    static func main() throws {
        let options: FuzzOptions
        do {
            options = try FuzzOptions(Array(CommandLine.arguments.dropFirst()))
        } catch let problem as Problem {
            FileHandle.standardError.write(Data("Fuzz: \(problem)\n".utf8))
            exit(64)
        }
        if options.isWorker {
            try work(options)
            return
        }
        if let path = options.input {
            for target in options.targets {
                print(
                    "\(target.name): \(target.run(try Data(contentsOf: URL(fileURLWithPath: path))))"
                )
            }
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

    /// Feeds inputs one after another and announces each before.
    private static func work(_ options: FuzzOptions) throws {
        guard let target = options.targets.first else { return }
        var limit = rlimit(rlim_cur: FuzzOptions.memoryLimit, rlim_max: FuzzOptions.memoryLimit)
        setrlimit(FuzzOptions.dataLimit, &limit)
        let mutator = options.mutator(of: target)
        let counter = try FuzzCounter(path: options.counterPath)
        for number in options.first..<options.inputs {
            counter.value = number
            limitTime()
            if case .refused = target.run(mutator.input(number, seed: options.seed)) {
                counter.refused += 1
            }
        }
        counter.value = options.inputs
    }

    /// Ends the process by a signal when the next input takes too much processor time.
    private static func limitTime() {
        var time = itimerval()
        time.it_value.tv_sec = FuzzOptions.timeLimit
        #if os(Linux)
            setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &time, nil)
        #else
            setitimer(ITIMER_PROF, &time, nil)
        #endif
    }
}
