import Diagnostics
package import LogReading

extension HelpfulCommand {
    package var commandWords: String {
        parts.map { part in
            switch part {
            case .call(let verb, let words):
                (["momtool", verb.commandWords] + words.map(\.commandWords)).joined(separator: " ")
            case .shell(let line): line
            }
        }.joined(separator: " && ")
    }
}

extension HelpfulCommand.Verb {
    fileprivate var commandWords: String {
        if case .checkSchema = self { "cloudkit check" } else { "\(self)" }
    }
}

extension HelpfulCommand.Word {
    fileprivate var commandWords: String {
        switch self {
        case .text(let text): text
        case .model(let path): "--model \(path)"
        case .version(let name): "--version \(name)"
        case .store(let path): "--store \(path)"
        case .stages(let path): "--stages \(path)"
        case .history: "--history"
        case .output(let path): "-o \(path)"
        case .fitting(let path): "--fit \(path)"
        case .taking(let version, let path): "--model \(shellWord("\(path)#\(version)"))"
        case .following(let advice): advice.option()
        case .allVersions: "--all-versions"
        case .inRepository: "--git"
        case .validating: "--validate"
        }
    }
}
