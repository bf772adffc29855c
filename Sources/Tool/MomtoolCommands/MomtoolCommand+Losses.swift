import Essentials

extension MomtoolCommand {
    /// Lets `--allow-data-loss` have no name: then it means all.
    ///
    /// The argument parser would read what follows as its value, so words that cannot be names are separated here.
    /// Commas may join several names.
    static func namingLosses(_ arguments: [String]) -> [String] {
        let option = "--allow-data-loss"
        guard arguments.first == "migrate" else { return arguments }
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument == option else {
                result.append(argument)
                continue
            }
            // No name, as from a variable that is not set, allows nothing; the parser refuses it.
            let names = rest.first == "" ? [""] : rest.first.map(lossNames) ?? []
            if names.isEmpty {
                result.append("\(option)=\(MigrateCommand.allLosses)")
            } else {
                rest.removeFirst()
                result += names.map { "\(option)=\($0)" }
            }
        }
        return result
    }

    /// The possible names of entities and properties in a word; none for any other word.
    private static func lossNames(_ word: String) -> [String] {
        let names = word.split(separator: ",").map(String.init)
        let areNames = names.allSatisfy { name in
            name.first.map { $0.isLetter || $0 == "_" } == true
                && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        }
        return areNames && !Files.exists(at: word) ? names : []
    }
}
