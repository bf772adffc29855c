import Foundation
import XMLReading
import YAMLReading

/// Reads printed output as its readers do, and finds what a name has made of it.
enum OutputGrammar {
    /// The faults of an output in a format; names hold `<b id=pwn>`, which must never become an element.
    static func faults(of text: String, _ format: String) -> [String] {
        switch format {
        case "json", "sarif", "gitlab":
            (try? JSONSerialization.jsonObject(with: Data(text.utf8))) == nil ? ["no JSON"] : []
        case "junit": xmlFaults(text)
        case "markdown": markdownFaults(text)
        case "github": commandFaults(text)
        case "dot": dotFaults(text)
        case "mermaid": mermaidFaults(text)
        case "edits": (try? parseYAML(text)) == nil ? ["no YAML"] : []
        default: []
        }
    }

    /// What a terminal or the log of a CI would obey, or hide, in any format; code is printed as it is used.
    ///
    /// GitHub's runner looks for two colons after any white space, and for `##[` anywhere in a line, as Azure's agent
    /// does for `##vso[`.
    static func obeyed(_ text: String, isCode: Bool = false) -> [String] {
        let shown = text.replacing("@\u{200B}", with: "@")
        let characters = shown.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                true
            case 0xAD, 0x200B, 0x2060, 0xFEFF, 0xE0000...0xE007F: true
            default: false
            }
        }
        let begun = lines(of: text).filter { line in
            ["::stop", "::error::pwn"].contains { line.utf8.starts(with: $0.utf8) }
                || !isCode && ["##[", "##vso["].contains { line.utf8.contains($0.utf8) }
        }
        return characters.map { "U+\(String($0.value, radix: 16))" } + begun
    }

    /// The lines that a name with `::stop` after a line break begins, whatever was put before it.
    static func torn(_ text: String) -> [String] {
        lines(of: text).filter { $0.hasPrefix("\\::stop") || $0.hasPrefix("::stop") }
    }

    private static func lines(of text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n").map { line in
            String(Substring(line.drop(while: \.properties.isWhitespace)))
        }
    }

    static func strings(in text: String) -> [String] {
        func strings(_ value: Any) -> [String] {
            switch value {
            case let text as String: [text]
            case let list as [Any]: list.flatMap(strings)
            case let members as [String: Any]: members.flatMap { [$0.key] + strings($0.value) }
            default: []
            }
        }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))).map(strings) ?? []
    }

    private static func xmlFaults(_ text: String) -> [String] {
        func faults(_ element: XMLElement) -> [String] {
            (element.name == "b" || element["id"] == "pwn" ? ["an element"] : [])
                + element.children.flatMap(faults)
        }
        do {
            return faults(try readXML(Data(text.utf8), path: "output").root)
        } catch {
            return ["no XML: \(error)"]
        }
    }

    /// Rows of tables have as many cells as their heads, and no element begins.
    private static func markdownFaults(_ text: String) -> [String] {
        var faults = text.contains("<b id=pwn>") || text.contains("<script") ? ["an element"] : []
        var width: Int?
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            guard line.first == UInt8(ascii: "|") else {
                width = nil
                continue
            }
            var (cells, isEscaped) = (0, false)
            for byte in line {
                if byte == UInt8(ascii: "|"), !isEscaped { cells += 1 }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            if let width, width != cells {
                faults.append("\(cells) in \(String(decoding: line, as: UTF8.self))")
            }
            width = width ?? cells
        }
        return faults
    }

    /// Each line is an annotation as the runner reads one, or none at all.
    private static func commandFaults(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n").map(String.init).filter { line in
            line.hasPrefix("::")
                && line.firstMatch(of: #/^::(error|warning|notice)( [^:]*)?::/#) == nil
        }
    }

    /// Labels are elements of their own or texts in quotes; no part of a name is outside of them.
    private static func dotFaults(_ text: String) -> [String] {
        var faults: [String] = []
        let label = #/label=<(<table(?s:.*?)</table>)>/#.matchingSemantics(.unicodeScalar)
        for match in text.matches(of: label) {
            // Graphviz reads labels with an XML parser.
            faults += (try? readXML(Data(match.1.utf8), path: "label")) == nil ? ["no label"] : []
        }
        let open = text.replacing(label, with: "label=x")
        var (plain, isQuoted, isEscaped) = ("", false, false)
        for scalar in open.unicodeScalars {
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            if !isQuoted { plain.unicodeScalars.append(scalar) }
            isEscaped = scalar == "\\" && !isEscaped
        }
        if isQuoted { faults.append("a quote is open") }
        let isKnown = plain.wholeMatch(of: /[A-Za-z0-9_ \n{}\[\]=,;:>."\-]*/) != nil
        return faults + (isKnown && !plain.contains("pwn") ? [] : ["a name outside of quotes"])
    }

    /// Each line is one that the writer knows, and none of them goes on beyond a name.
    private static func mermaidFaults(_ text: String) -> [String] {
        let signs = #"[^"\\;`:#{}\[\]<>\n]*"#
        let forms = [
            "classDiagram", #"    class \w+(\["\#(signs)"\])?( \{)?"#,
            #"    cssClass "\w+" \w+"#, #"    classDef \w+ [a-z0-9#:,-]+"#, "        <<abstract>>",
            "    \\}", "        [+~-]?\(signs)",
            #"    \w+( "[^"]*")? (-->|--|<\|--|\*--)( "[^"]*")? \w+ : \#(signs)"#,
        ]
        guard let line = try? Regex(forms.joined(separator: "|")) else { return ["no grammar"] }
        return text.unicodeScalars.split(separator: "\n").map(String.init)
            .filter { (try? line.matchingSemantics(.unicodeScalar).wholeMatch(in: $0)) == nil }
    }
}
