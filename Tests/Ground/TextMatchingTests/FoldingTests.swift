import Foundation
import TestSupport
import Testing
import TextMatching

/// Compares the folding of texts with Foundation's, which is in the tests and not in the program.
struct FoldingTests {
    private static let options: [(Folding, String.CompareOptions)] = [
        (.cases, .caseInsensitive), (.marks, .diacriticInsensitive),
        ([.cases, .marks], [.caseInsensitive, .diacriticInsensitive]),
    ]

    /// Every scalar that the Unicode of any Foundation has, without Chinese and Korean ones.
    private static let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init).filter {
        guard !(0xAC00...0xD7A3).contains($0.value), !$0.properties.isUnifiedIdeograph,
            $0.properties.generalCategory != .privateUse
        else { return false }
        return $0.properties.age.map { $0.major < 16 } ?? false
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || scalar.properties.isEmojiModifier
            || scalar.properties.generalCategory == .spacingMark
    }

    /// Returns the texts that are folded differently; those that begin with a mark are alone, the others in lines.
    private func differences(_ texts: some Sequence<String>, _ place: Int) -> [String] {
        let (own, theirs) = Self.options[place]
        let isAlone = { (text: String) in text.unicodeScalars.first.map(Self.isMark) ?? true }
        let lines = texts.filter { !isAlone($0) && !$0.contains("\n") }.joined(separator: "\n")
        let pairs = zip(
            lines.folded(own).unicodeScalars.split(separator: "\n"),
            lines.folding(options: theirs, locale: nil).unicodeScalars.split(separator: "\n")
        ).map { (String($0), String($1)) }
        let alone = texts.filter(isAlone).map {
            ($0.folded(own), $0.folding(options: theirs, locale: nil))
        }
        let different = (pairs + alone).filter { own, theirs in
            !own.unicodeScalars.elementsEqual(theirs.unicodeScalars)
        }
        return different.map { own, _ in
            own.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
        }
    }

    @Test(arguments: 0..<3)
    func `every scalar folds as Foundation folds it`(place: Int) {
        #expect(Self.scalars.count > 30_000)
        let texts = Self.scalars.lazy.map { String($0) }
        #expect(differences(texts, place) == [])
    }

    @Test(arguments: 0..<3)
    func `every mark folds as Foundation folds it behind letters of all kinds`(place: Int) {
        let marks = Self.scalars.filter(Self.isMark)
        #expect(marks.count > 2000)
        let letters = ["a", "É", " ", "İ", "ß", "я", "א", "क", "か", "한", "語", "😀", "ᾳ"]
        #expect(
            differences(letters.flatMap { letter in marks.map { letter + String($0) } }, place)
                == []
        )
    }

    @Test(arguments: 0..<3)
    func `texts fold as Foundation folds them`(place: Int) {
        var numbers = SeededGenerator(seed: place)
        let common = Array(
            "aAéÉßẞıIİiΣςσ क़काなゔガ한\u{301}\u{327}\u{5B0}\u{200D}\u{FE0F}Ǆﬁ".unicodeScalars
        )
        let texts = (0..<10_000).map { _ in
            let length = Int.random(in: 1...8, using: &numbers)
            // Marks without a letter are no text.
            var text = "a".unicodeScalars
            for _ in 0..<length {
                let source = Bool.random(using: &numbers) ? common : Self.scalars
                if let scalar = source.randomElement(using: &numbers) { text.append(scalar) }
            }
            return String(text)
        }
        #expect(differences(texts, place) == [])
    }
}
