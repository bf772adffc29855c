import Essentials
import ObjectModel

extension Attribute {
    var templateWords: String {
        var words = [
            type.sourceName ?? "value", isOptional ? "optional" : "required",
        ]
        let isText = type == .string
        if let least = validation.minimum.map(limit) {
            words.append("at least \(least)\(isText ? " characters" : "")")
        }
        if let most = validation.maximum.map(limit) {
            words.append("at most \(most)\(isText ? " characters" : "")")
        }
        if let pattern = validation.regularExpression {
            words.append("matches \(pattern.replacingBytes(of: "\n", with: " "))")
        }
        return words.joined(separator: ", ")
    }

    private func limit(_ value: AttributeValue) -> String {
        switch value {
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .float(let value): "\(value)"
        case .decimal(let value): value.description
        case .date(let seconds): "\(seconds) seconds after 2001"
        case .string(let text), .uri(let text): text
        case .boolean, .binary, .uuid: "a value"
        }
    }
}
