import Diagnostics
import Essentials
import MomtoolReporting

/// The language of a printed text, which decides how a name in it is kept from being obeyed.
///
/// A terminal obeys control characters, and the log of a CI obeys lines: GitHub's runner and Azure's agent look for
/// `##[` and `##vso[` anywhere in a line, and for `::` after its leading white space of any script. In JSON and markup
/// the escapes mean the original character; elsewhere a backslash is visible.
enum PrintedForm {
    case lines
    /// Lines that may be commands of the runner, or are read by programs.
    case commands
    /// Markdown, whose cells keep an at sign from mentioning a user by a zero-width space.
    case markdown
    case json, markup
    /// Code, SQL and patches, which are used as printed.
    case verbatim

    init(_ format: ReportFormat) {
        switch format {
        case .text: self = .lines
        case .github: self = .commands
        case .markdown: self = .markdown
        case .json, .sarif, .gitlab, .edits: self = .json
        case .junit: self = .markup
        }
    }

    var isForPeople: Bool { self == .lines }

    /// Returns a text in this form in which nothing is obeyed.
    func harmless(_ text: String) -> String {
        let plain = text.unicodeScalars.contains(where: \.isObeyed) ? escaped(text) : text
        guard let sign, plain.utf8.contains(UInt8(ascii: "#")) else { return begun(plain) }
        return begun(
            plain.replacingBytes(of: "##[", with: "#\(sign)[")
                .replacingBytes(of: "##vso[", with: "#\(sign)vso[")
        )
    }

    private func escaped(_ text: String) -> String {
        switch self {
        case .lines, .commands, .json, .verbatim: text.escaping(\.isObeyed)
        case .markdown: text.escaping { $0.isObeyed && $0 != "\u{200B}" }
        case .markup: text.escaping(\.isObeyed, as: { "&#\($0.value);" })
        }
    }

    /// The replacement for the second character of a mark that counts anywhere in a line; `nil` for none.
    private var sign: String? {
        switch self {
        case .lines, .commands, .markdown: "\\#"
        case .json: "\\u0023"
        case .markup: "&#35;"
        case .verbatim: nil
        }
    }

    /// The replacement for two colons that begin a line; `nil` for none.
    private var colons: String? {
        switch self {
        case .lines: "\\::"
        case .markup: "&#58;:"
        case .commands, .markdown, .json, .verbatim: nil
        }
    }

    private func begun(_ text: String) -> String {
        guard let colons, text.utf8.contains("::".utf8) else { return text }
        var result = ""
        var (isStart, colon) = (true, false)
        for scalar in text.unicodeScalars {
            if colon {
                result += scalar == ":" ? String(colons.dropLast()) : ":"
                (colon, isStart) = (false, scalar == "\n")
            } else if isStart, scalar == ":" {
                colon = true
                continue
            }
            isStart = scalar == "\n" || isStart && scalar.properties.isWhitespace
            result.unicodeScalars.append(scalar)
        }
        return colon ? result + ":" : result
    }
}
