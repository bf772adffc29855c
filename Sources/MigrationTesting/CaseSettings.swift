/// A `case.yml` as it is written.
struct CaseSettings: Decodable {
    var model: String
    var from: String
    var to: String?
    /// The path of a stages file; empty for a list that stands in the case itself.
    var stages: String?
    var expect: Expected?
    var allowDataLoss: Bool?
    var facts: [MigrationCase.Fact]?
    var skip: String?

    private enum Key: String, CodingKey, CaseIterable {
        case model, from, to, stages, expect, allowDataLoss, facts, skip
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        let unknown = names.filter { Key(rawValue: $0) == nil }.sorted()
        guard unknown.isEmpty else {
            let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw CaseFault("'\(unknown[0])' means nothing here; there are: \(known)")
        }
        let container = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String {
            guard let value = try container.decodeIfPresent(String.self, forKey: key) else {
                throw CaseFault("'\(key.rawValue)' is missing")
            }
            return value
        }
        model = try text(.model)
        from = try text(.from)
        to = try container.decodeIfPresent(String.self, forKey: .to)
        if container.contains(.stages) {
            stages = (try? container.decode(String.self, forKey: .stages)) ?? ""
        }
        expect = try container.decodeIfPresent(Expected.self, forKey: .expect)
        allowDataLoss = try container.decodeIfPresent(Bool.self, forKey: .allowDataLoss)
        facts = try container.decodeIfPresent([MigrationCase.Fact].self, forKey: .facts)
        skip = try container.decodeIfPresent(String.self, forKey: .skip)
    }

    /// What stands behind `expect`: a word, or a word with what the message must say.
    struct Expected: Decodable {
        private struct Ending: Decodable {
            var code: Int?
            var message: String?
        }

        var expectation: MigrationCase.Expectation

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let word = try? container.decode(String.self) {
                expectation = try Self.expectation(word, Ending())
                return
            }
            let endings = try container.decode([String: Ending].self)
            guard endings.count == 1, let (word, ending) = endings.first else {
                throw CaseFault("'expect' names one ending")
            }
            expectation = try Self.expectation(word, ending)
        }

        private static func expectation(
            _ word: String,
            _ ending: Ending
        ) throws(CaseFault) -> MigrationCase.Expectation {
            switch word {
            case "migrated": return .migrated
            case "refused": return .refused(code: ending.code, message: ending.message)
            case "failed": return .failed(message: ending.message)
            default:
                let message = "'\(word)' is no expectation; write migrated, refused or failed"
                throw CaseFault(message)
            }
        }
    }
}

/// What is wrong with a `case.yml`.
struct CaseFault: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Leaves the list of stages alone in a `case.yml`, at its place, so that what is said of it names the right line.
func onlyStages(of text: String) -> String {
    var isInside = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        if let first = line.first, !first.isWhitespace, !"#-".contains(first) {
            isInside = line.hasPrefix("stages:")
        }
        return isInside ? String(line) : ""
    }
    return lines.joined(separator: "\n")
}
