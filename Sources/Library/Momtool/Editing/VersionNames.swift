import Diagnostics
import ModelEditing
package import ModelLoading

extension ModelBundle {
    /// The name of a version made from another: its number is increased, or a number is added.
    package func nextVersionName(after name: String) -> String {
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let stem = digits == 0 ? name + " " : String(name.dropLast(digits))
        let taken = versions.map(\.name) + unreadableVersions.map(\.name)
        // Names of the same stem are counted on: `Shop 10` follows `Shop 9`.
        let numbers = taken.compactMap { other -> Int? in
            guard other.hasPrefix(stem) else { return nil }
            let rest = other.dropFirst(stem.count)
            return rest.allSatisfy { $0.isASCII && $0.isNumber } ? Int(rest) : nil
        }
        let width = name.suffix(digits).first == "0" ? digits : 0
        var next = numbers.max() ?? 1
        while true {
            guard next < .max else { return name + " copy" }
            next += 1
            let number = String(next)
            let padding = String(repeating: "0", count: Swift.max(0, width - number.count))
            let candidate = stem + padding + number
            let isTaken = taken.contains { $0.lowercased() == candidate.lowercased() }
            if !isTaken { return candidate }
        }
    }

    /// Checks the name of a version to be made, which becomes that of a folder; returns it without its extension.
    package func checkedVersionName(_ text: String) throws(MomtoolError) -> String {
        let ending = ".xcdatamodel"
        let name = text.hasSuffix(ending) ? String(text.dropLast(ending.count)) : text
        guard !name.isEmpty else {
            let message = "a version needs a name; '' is not a valid one"
            throw MomtoolError(.usage, path, message, .impossibleEdit)
        }
        let isPlain = !name.isObeyed && !name.utf8.contains { $0 == 0x0A || $0 == 0x09 }
        guard isPlain, !name.contains("/"), !name.hasPrefix("."),
            name.utf8.count <= 200, name.first != " ", name.last != " "
        else {
            let message =
                "'\(name)' is not a valid version name: as a folder name, it must not contain / or a line"
                + " end, begin with . or a space, end with a space, or have more than 200 bytes"
            throw MomtoolError(.usage, path, message, .impossibleEdit)
        }
        // A version is named after `#`, in git after `:`, and where an option may be.
        guard !name.hasPrefix("-"), !name.contains(where: { "#:".contains($0) }) else {
            let message =
                "'\(name)' is not a valid version name: it must not begin with - or contain # or :"
            throw MomtoolError(.usage, path, message, .impossibleEdit)
        }
        let names = versions.map(\.name) + unreadableVersions.map(\.name)
        // A Mac has one folder for both.
        guard !names.contains(where: { $0.lowercased() == name.lowercased() }) else {
            let message = "the version '\(name)' already exists; choose another name"
            throw MomtoolError(.refused, path, message, .impossibleEdit)
        }
        return name
    }
}
