import Foundation

/// A fault that is put into a copy of the engine on purpose: at least one fixture case or probe must notice it.
struct Mutation: Sendable, Hashable {
    /// What the text is in the source: an expression, or a piece of a string literal.
    enum Kind: Sendable, Hashable {
        case expression, text
    }

    /// Its name, which switches it on in the environment variable `MOMTOOL_MUTATION`.
    var name: String
    /// The file below `Sources`.
    var file: String
    /// What stands there.
    var before: String
    /// What stands there instead while the mutation is on.
    var after: String
    /// A longer piece of the source that `before` is found in, where it is no name of its own.
    var anchor: String
    var kind: Kind
    /// A case of `Fixtures/Cases`, or a probe, that must fail.
    var caughtBy: String

    init(
        _ name: String,
        in file: String,
        _ before: String,
        becomes after: String,
        within anchor: String? = nil,
        as kind: Kind = .expression,
        caughtBy: String
    ) {
        self.name = name
        self.file = file
        self.before = before
        self.after = after
        self.anchor = anchor ?? before
        self.kind = kind
        self.caughtBy = caughtBy
    }

    /// Both behaviours, and the choice between them.
    private var switched: String {
        let condition = "isMutated(\"\(name)\")"
        return switch kind {
        case .expression: "(\(condition) ? (\(after)) : (\(before)))"
        case .text: "\\(\(condition) ? \"\(after)\" : \"\(before)\")"
        }
    }

    /// Finds the one place that the mutation changes.
    fileprivate func place(in source: String) throws(StaleMutation) -> Range<String.Index> {
        let anchors = source.ranges(of: anchor)
        guard anchors.count == 1 else { throw StaleMutation(mutation: self, count: anchors.count) }
        let places = source[anchors[0]].ranges(of: before)
        guard places.count == 1 else { throw StaleMutation(mutation: self, count: places.count) }
        return places[0]
    }

    /// Puts mutations into the source of a file, each switched off until it is asked for.
    static func apply(
        _ mutations: [Mutation],
        to source: String
    ) throws(StaleMutation) -> String {
        var edits: [(place: Range<String.Index>, mutation: Mutation)] = []
        for mutation in mutations {
            let place = try mutation.place(in: source)
            guard !edits.contains(where: { $0.place.overlaps(place) }) else {
                throw StaleMutation(mutation: mutation, count: 1)
            }
            edits.append((place, mutation))
        }
        var result = source
        for edit in edits.sorted(by: { $0.place.lowerBound > $1.place.lowerBound }) {
            result.replaceSubrange(edit.place, with: edit.mutation.switched)
        }
        return result
    }
}

/// A mutation whose text no longer stands in its file exactly once, or overlaps with another one.
struct StaleMutation: Error, CustomStringConvertible {
    var mutation: Mutation
    var count: Int

    var description: String {
        let found =
            count == 0
            ? "is no longer there" : "stands there \(count) times, or overlaps with another"
        return "the mutation '\(mutation.name)' is stale: its text in Sources/\(mutation.file) "
            + "\(found); bring Tests/House/Mutations/MutationList.swift up to date:\n  \(mutation.before)"
    }
}
