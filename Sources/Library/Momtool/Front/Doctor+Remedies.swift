import Diagnosing
public import Diagnostics
import LogReading

extension Doctor {
    /// Something to do about a store.
    public struct Remedy: Sendable, Hashable {
        /// What to do; imperative, without a final period.
        public var text: String
        /// What a repair of the store has to follow, where that is the remedy; `nil` for any other.
        ///
        /// A person completes advice that is not `Advice.isComplete`.
        public var repair: [Advice]?
        /// What ``Migrator/migrate(_:to:following:timeout:progress:)`` has to follow, where that is the remedy; `nil` for
        /// any other.
        public var migration: [Advice]?
        /// The call as in Swift code, such as `Doctor.repair(_:to:following: [remove with .clearLinks])`; `nil` where a
        /// person or only the command line does it.
        package var call: String?
    }
}

extension Doctor.Remedy: CustomStringConvertible {
    /// The text with the call of the library after it, on one line.
    public var description: String { (text + (call.map { ": \($0)" } ?? "")).onOneLine }
}

extension [Advice] {
    fileprivate var argument: String {
        isEmpty ? "" : "following: \(map(\.description))"
    }
}

extension Doctor.Remedy {
    init(_ way: WayOut) {
        text = way.advice.text(in: .code)
        guard let parts = way.command?.parts, parts.count == 1,
            case .call(let verb, let words) = parts[0]
        else { return }
        let advice = words.compactMap(\.advice)
        switch verb {
        // Without a result it only looks.
        case .repair where words.contains { if case .output = $0 { true } else { false } }:
            (repair, call) = (advice, "Doctor.repair(_:to:\(advice.argument))")
        // Such a stages file has to be written first.
        case .migrate where !words.contains(.stages("Stages.yml")):
            (migration, call) = (advice, "Migrator.migrate(_:to:\(advice.argument))")
        case .plan: call = "Migrator.losses(of:)"
        case .verify: call = "Store.verify(against:)"
        case .doctor: call = "Doctor.examine(_:)"
        case .identify: call = "Store.version(in:)"
        case .lint: call = "Linter.findings(in:)"
        case .lock: call = "Lock.update()"
        case .checkSchema, .create, .decompile, .generate, .hash, .inspect, .migrate, .repair: break
        }
    }
}

extension HelpfulCommand.Word {
    fileprivate var advice: Advice? {
        switch self {
        case .following(let advice): advice
        case .taking(let version, _): .takeVersion(version)
        default: nil
        }
    }
}
