/// A regular expression as ICU has them, and so `NSRegularExpression` and `MATCHES`.
///
/// Written anew because ICU brings 34 MB of data. What is the same: the syntax with its sets, properties, looks around,
/// atomic groups, flags and references back, the leftmost match with the first alternative that leads on, and what the
/// classes hold. What is not there, `\N{NAME}` and the flag `w`, makes a pattern invalid.
///
/// A pattern takes no more stack than its groups nest, whatever the text, and a match can be interrupted.
package struct RegularExpression: Sendable {
    /// Where a match and its groups lie, counted in scalars; a group that took no part has no range.
    package struct Match: Sendable, Equatable {
        package var groups: [Range<Int>?]

        /// The whole match.
        package var range: Range<Int> { groups.first?.flatMap(\.self) ?? 0..<0 }
    }

    let program: RegexProgram

    /// Compiles a pattern; `nil` when it is none, as the empty one.
    package init?(_ pattern: String) {
        guard !pattern.isEmpty else { return nil }
        var parser = RegexParser(Array(pattern.unicodeScalars))
        do throws(RegexSyntaxError) {
            let tree = try parser.parse()
            var compiler = RegexCompiler()
            program = try compiler.program(tree, groups: parser.groupCount, names: parser.names)
        } catch {
            return nil
        }
    }

    /// Searches for the first match at or behind a place.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - start: the place where the search begins.
    ///   - isInterrupted: is asked from time to time whether to stop.
    /// - Returns: `nil` when there is none, or the search was interrupted.
    package func firstMatch(
        in text: [Unicode.Scalar],
        from start: Int = 0,
        isInterrupted: () -> Bool = { false }
    ) -> Match? {
        withoutActuallyEscaping(isInterrupted) { isInterrupted in
            var matcher = RegexMatcher(program, text, from: start, isInterrupted)
            var place = start
            while place <= text.count, !matcher.isStopped {
                if let match = matcher.match(at: place) { return match }
                place += 1
            }
            return nil
        }
    }

    /// Returns a text with every match replaced by what a template says: `$1` is a group, `\` takes a meaning away.
    package func replaceMatches(
        in text: String,
        by template: String,
        isInterrupted: () -> Bool = { false }
    ) -> String {
        let scalars = Array(text.unicodeScalars)
        let template = Array(template.unicodeScalars)
        var result = String.UnicodeScalarView()
        var (copied, start) = (0, 0)
        while start <= scalars.count,
            let match = firstMatch(in: scalars, from: start, isInterrupted: isInterrupted)
        {
            result.append(contentsOf: scalars[copied..<match.range.lowerBound])
            append(template, match, scalars, to: &result)
            copied = match.range.upperBound
            start = match.range.isEmpty ? copied + 1 : copied
        }
        result.append(contentsOf: scalars[copied...])
        return String(result)
    }

    private func append(
        _ template: [Unicode.Scalar],
        _ match: Match,
        _ text: [Unicode.Scalar],
        to result: inout String.UnicodeScalarView
    ) {
        var place = 0
        while place < template.count {
            let scalar = template[place]
            place += 1
            if scalar == "\\" {
                if place < template.count { result.append(template[place]) }
                place += 1
            } else if scalar == "$", place < template.count, var group = template[place].digit {
                place += 1
                // As many digits as the number of groups has, if there is such a group.
                var most = (match.groups.count - 1) / 10
                while most > 0, place < template.count, let digit = template[place].digit,
                    group * 10 + digit < match.groups.count
                {
                    group = group * 10 + digit
                    most /= 10
                    place += 1
                }
                if group < match.groups.count, let range = match.groups[group] {
                    result.append(contentsOf: text[range])
                }
            } else {
                result.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// The value of a digit of ASCII.
    var digit: Int? {
        (0x30...0x39).contains(value) ? Int(value) - 0x30 : nil
    }
}

/// A pattern is none.
struct RegexSyntaxError: Error {}
