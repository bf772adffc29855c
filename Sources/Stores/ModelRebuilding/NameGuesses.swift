import ObjectModel

/// Guesses how names are spelled that a store has in capitals only.
struct NameGuesses {
    /// A name, and how unlikely it is.
    struct Guess: Hashable {
        var name: String
        var cost: Int
    }

    private var vocabulary = Vocabulary()
    /// The spellings that the store, or a model like its own, shows somewhere.
    private var spellings: [String: Set<String>] = [:]

    /// Learns a name in its own spelling.
    mutating func learn(_ name: String) {
        vocabulary.learn(name)
        spellings[name.uppercased(), default: []].insert(name)
    }

    /// Learns words, of a name that properties do not have.
    mutating func learnWords(of name: String) { vocabulary.learn(name) }

    /// Returns the spellings of a name, the likeliest first.
    func spellings(of text: String) -> [Guess] {
        var guesses: [String: Int] = [:]
        func add(_ name: String, _ cost: Int) {
            guard name.uppercased() == text.uppercased() else { return }
            guesses[name] = min(guesses[name] ?? .max, cost)
        }
        let known = spellings[text.uppercased()] ?? []
        for name in known { add(name, 0) }
        let further = known.isEmpty ? 0 : 10
        let parts = text.lowercased().split(separator: "_", omittingEmptySubsequences: false)
        if parts.count > 1 {
            add(text.lowercased(), further + (parts[0].isEmpty ? 4 : 0))
            let words = parts.map(String.init)
            add(words.dropFirst().reduce(words[0]) { $0 + "_" + capitalized($1) }, further + 15)
            add(text, further + 20)
            // Each part may consist of words of its own: `_localID`, `user_firstName`.
            let each = words.map { $0.isEmpty ? [""] : spellings(of: $0).prefix(2).map(\.name) }
            for place in 0..<2 {
                let spelled = each.map { $0[Swift.min(place, $0.count - 1)] }
                add(spelled.joined(separator: "_"), further + 3 + 4 * place)
            }
        } else {
            let cuts = vocabulary.cuts(of: text.lowercased())
            let least = cuts.first?.cost ?? 0
            for cut in cuts + vocabulary.joiningUnknown(cuts) {
                for (name, cost) in camelCased(cut.words) {
                    add(name, further + cost + (cut.cost - least) / 2)
                }
            }
            add(text.lowercased(), further + 12)
        }
        return guesses.map { Guess(name: $0.key, cost: $0.value) }
            .sorted { ($0.cost, $0.name) < ($1.cost, $1.name) }
    }

    /// Guesses the name of a relationship that leads back to objects, which no column tells.
    ///
    /// - Parameters:
    ///   - entity: what it leads to.
    ///   - name: the name of the relationship that it is the inverse of.
    ///   - isToMany: whether it leads to any number of them.
    /// - Returns: the names, the likeliest first.
    func inverseNames(to entity: String, of name: String, isToMany: Bool) -> [Guess] {
        var names: [String] = []
        func add(_ words: ArraySlice<String>) {
            guard let last = words.last else { return }
            let end = isToMany ? vocabulary.plural(of: last) : last
            let all = Array(words.dropLast()) + [end]
            names.append(all.dropFirst().reduce(all[0]) { $0 + capitalized($1) })
        }
        let parts = Vocabulary.parts(of: entity)
        let words = parts.isEmpty ? [entity.lowercased()] : parts
        add(words[...])
        if words.count > 1 {
            add(words.suffix(1))
            add(words.dropFirst())
            add(words.dropLast())
        }
        if isToMany, ["parent", "superior", "container"].contains(name) {
            names = ["children"] + names
        }
        if !isToMany, name == "child" { names = ["parent"] + names }
        let own = Vocabulary.parts(of: name)
        if let participle = Self.participles[own.last ?? ""] {
            add([participle] + words.suffix(1))
            add([participle] + words)
        }
        // `favoriteFolder` leads back along `favorites`.
        if own.count > 1, isToMany { names.append(vocabulary.plural(of: own[0])) }
        if isToMany { names.append(names[0].hasSuffix("s") ? words[0] : names[0]) }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.enumerated()
            .map { Guess(name: $1, cost: 4 * $0) }
    }

    /// What the objects of a person are called by what the person is to them: a sender has sent messages.
    private static let participles = [
        "sender": "sent", "owner": "owned", "creator": "created", "author": "authored",
        "receiver": "received", "recipient": "received", "assignee": "assigned",
        "uploader": "uploaded", "editor": "edited", "reviewer": "reviewed", "user": "user",
    ]

    /// Whether a name in capitals speaks of an entity.
    func speaks(_ text: String, of entity: String) -> Bool {
        let (text, entity) = (text.uppercased(), entity.uppercased())
        if text.contains(entity) || entity.contains(text) { return true }
        let words = Vocabulary.parts(of: entity).map { $0.uppercased() }
        return words.contains { $0.count > 3 && text.contains($0) }
    }

    private func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    private func camelCased(_ words: [String]) -> [(String, Int)] {
        guard let first = words.first else { return [] }
        let rest = words.dropFirst()
        func joined(_ first: String, _ isLoud: Bool) -> String {
            rest.reduce(first) { name, word in
                let isAcronym = isLoud && Vocabulary.acronyms.contains(word)
                return name + (isAcronym ? word.uppercased() : capitalized(word))
            }
        }
        var names = [(joined(first, false), 0), (joined(first, true), 0)]
        if Vocabulary.acronyms.contains(first) {
            names.append((joined(first.uppercased(), true), 14))
        }
        return names
    }
}
