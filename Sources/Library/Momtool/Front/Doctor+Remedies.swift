import Diagnosing
public import Diagnostics
import LogReading

extension Doctor {
    /// Something to do about a store, and the call of the library that does it.
    public struct Remedy: Sendable, Hashable {
        /// What to do; imperative, without a final period.
        public var text: String
        /// The call that does it; `nil` where a person or only the command line does it.
        public var call: Call?
    }

    /// A call of the library.
    public enum Call: Sendable, Hashable {
        /// `Doctor.repair(_:to:following:)`; a person completes advice that is not `Advice.isComplete`.
        case repair([Advice])
        /// `Migrator.migrate(_:to:following:)`.
        case migrate([Advice])
        /// `Migrator.losses(of:following:timeout:)`.
        case losses
        /// `Store.verify(against:)`.
        case verify
        /// `Doctor.examine(_:)`, of what a repair made or with another model.
        case examine
        /// `Store.version(in:)`.
        case identify
        /// `Linter.findings(in:)`.
        case lint
        /// `Lock.update()`.
        case lock
    }
}

extension Doctor.Remedy: CustomStringConvertible {
    /// The text with the call after it, on one line.
    public var description: String { (text + (call.map { ": \($0)" } ?? "")).onOneLine }
}

extension Doctor.Call: CustomStringConvertible {
    /// The call as in Swift code, such as `Doctor.repair(_:to:following: [remove with .clearLinks])`.
    public var description: String {
        switch self {
        case .repair(let advice): "Doctor.repair(_:to:\(advice.argument))"
        case .migrate(let advice): "Migrator.migrate(_:to:\(advice.argument))"
        case .losses: "Migrator.losses(of:)"
        case .verify: "Store.verify(against:)"
        case .examine: "Doctor.examine(_:)"
        case .identify: "Store.version(in:)"
        case .lint: "Linter.findings(in:)"
        case .lock: "Lock.update()"
        }
    }
}

extension [Advice] {
    fileprivate var argument: String {
        isEmpty ? "" : "following: \(map(\.description))"
    }
}

extension Doctor.Remedy {
    init(_ way: WayOut) {
        text = way.advice.text(in: .code)
        call = way.command.flatMap(Doctor.Call.init)
    }
}

extension Doctor.Call {
    fileprivate init?(_ command: HelpfulCommand) {
        guard command.parts.count == 1, case .call(let verb, let words) = command.parts[0] else {
            return nil
        }
        let isWriting = words.contains { if case .output = $0 { true } else { false } }
        // Such a stages file has to be written first.
        let isOfFuture = words.contains(.stages("Stages.yml"))
        switch verb {
        // Without a result it only looks.
        case .repair where isWriting: self = .repair(words.compactMap(\.advice))
        case .migrate where !isOfFuture: self = .migrate(words.compactMap(\.advice))
        case .plan: self = .losses
        case .verify: self = .verify
        case .doctor: self = .examine
        case .identify: self = .identify
        case .lint: self = .lint
        case .lock: self = .lock
        case .checkSchema, .create, .decompile, .generate, .hash, .inspect, .migrate, .repair:
            return nil
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
