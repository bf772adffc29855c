import Essentials
import Diagnostics
import MappingInference
import ModelDiffing
import ModelDrawing
import ModelHashing
import ObjectModel
import XMLReading

/// Writes a comparison as a page: the diagram with what became of everything, the list beside it.
func comparisonPage(_ report: DiffReport) -> String {
    let picture = report.diagram.changedPart().changedRows()
    let judgements = report.mapping.judgements
    let refusals = report.mapping.refusals.map { refusal in
        "<li class=\"removed\"><b>\(shown(refusal.path ?? "model"))</b> \(shown(refusal.text))"
            + "<br><span class=\"faint\">\(shown(refusal.cure))</span></li>"
    }
    let questions = report.questions
    let asked =
        questions.single.map { diagnostic in
            let element = diagnostic.element.map { "<b>\(shown($0))</b> " } ?? ""
            return "<li>\(element)\(shown(diagnostic.worded.message))</li>"
        }
        + questions.groups.map { "<li>\($0.advice)\(pairs($0.pairs))</li>" }
    let moved = report.diff.movedEntities.map { "<code>\(shown($0))</code>" }
    let notCompared = report.notCompared.map { "<code>\(shown($0))</code>" }
    let body = """
        <p class="\(report.mapping.verdict.colour)"><b>\(shown(report.headline))</b></p>
        <h2>\(judgements.count.counted("change"))</h2>
        \(verdictButtons(judgements))
        <p class="faint"><code>\(shown(report.from.checksum))</code> →
        <code>\(shown(report.to.checksum))</code></p>
        <div class="sides">
        \(pictureFrame(picture))
        <div class="list">
        \(section("Core Data infers no mapping", refusals))
        \(section("Asked about", asked))
        \(groupedItems(judgements, report) { picture.anchor(ofBox: $0).map { "#\($0)" } })
        \(notCompared.isEmpty ? "" : "<h2>Not compared, as they are not understood</h2><p>\(notCompared.joined(separator: ", "))</p>")
        \(moved.isEmpty ? "" : "<h2>Entity hashes that move</h2><p>\(moved.joined(separator: ", "))</p>")
        </div>
        </div>
        """
    return page(
        title: "\(report.from.name) → \(report.to.name)",
        description: "\(judgements.count.counted("change")): \(report.headline)",
        style: pictureStyle + comparisonStyle,
        body: body,
        script: pictureScript
    )
}

private func pairs(_ renames: [RenameSuspicion]) -> String {
    let items = renames.map { rename in
        let owner = rename.entity.map { "\(shown($0)): " } ?? ""
        let identifier =
            rename.elementID == rename.from ? "" : ", by the identifier \(shown(rename.elementID))"
        return
            "<li>\(owner)<b>\(shown(rename.from))</b> → <b>\(shown(rename.to))</b>\(identifier)</li>"
    }
    return "<ul>\(items.joined(separator: "\n"))</ul>"
}

private func section(_ title: String, _ items: [String]) -> String {
    guard !items.isEmpty else { return "" }
    return
        "<section class=\"asked\"><h2>\(title)</h2>\n<ul>\n\(items.joined(separator: "\n"))\n</ul></section>"
}

/// The verdicts with their numbers, worst first; a click on one shows its changes alone.
func verdictButtons(_ judgements: [Judgement]) -> String {
    let counts = Dictionary(grouping: judgements, by: \.verdict).mapValues(\.count)
    let buttons = counts.sorted { $0.key > $1.key }.map { verdict, count in
        "<button class=\"\(verdict.colour)\" aria-pressed=\"false\" data-verdict=\"\(verdict.identifier)\">"
            + "\(count) \(shown(verdict.words))</button>"
    }
    return buttons.isEmpty
        ? "" : "<p class=\"verdicts\">\(buttons.joined(separator: "\n"))</p>"
}

/// The changes by their entities, in the order in which these come; a piece of advice is said once.
///
/// - Parameters:
///   - judgements: the changes.
///   - report: the comparison that they are of.
///   - link: where an entity is shown; `nil` for nowhere.
/// - Returns: a section for each entity.
func groupedItems(
    _ judgements: [Judgement],
    _ report: DiffReport,
    link: (String) -> String?
) -> String {
    var names: [String] = []
    var groups: [String: [Judgement]] = [:]
    for judgement in judgements {
        let name = judgement.change.subject.entity ?? ""
        if groups[name] == nil { names.append(name) }
        groups[name, default: []].append(judgement)
    }
    var advice = SaidAdvice(meant: report.meant)
    return names.map { name in
        let items = (groups[name] ?? []).map { judgement in
            item(judgement, report, cure: advice.new(for: judgement))
        }
        let title = name.isEmpty ? "the model" : shown(name)
        let heading = link(name).map { "<a href=\"\($0)\">\(title)</a>" } ?? title
        return
            "<section class=\"entity\"><h3>\(heading)</h3>\n<ul>\n\(items.joined(separator: "\n"))\n</ul></section>"
    }.joined(separator: "\n")
}

private func item(_ judgement: Judgement, _ report: DiffReport, cure: String?) -> String {
    let subject = judgement.change.subject
    let name = shown(subject.property ?? subject.path ?? "model")
    let queries = report.queries(for: judgement)
        .map { "<br><code>\(markup($0, in: .attribute))</code>" }.joined()
    let holds = judgement.change.addedProperties
        .map { "<br><span class=\"added\">+</span> \(shown($0))" }.joined()
    let cure = cure.map { "<br><span class=\"faint\">\(shown($0))</span>" } ?? ""
    let cloudKit = judgement.cloudKit.map { "<br>\(shown($0.line))" } ?? ""
    return """
        <li data-verdict="\(judgement.verdict.identifier)"><b>\(name)</b> \
        \(shown(judgement.change.words.line))<br>\
        <span class="\(judgement.verdict.colour)">\(shown(judgement.verdict.words))</span>: \
        \(shown(judgement.effect))\(holds)\(queries)\(cure)\(cloudKit)</li>
        """
}

extension Verdict {
    /// The class that colours the verdict.
    fileprivate var colour: String {
        switch self {
        case .noEffectOnHash: "faint"
        case .lightweight, .lightweightThoughUndocumented: "added"
        case .dependsOnRows: "changed"
        case .losesData, .needsCustomStage, .impossible: "removed"
        }
    }
}

private let comparisonStyle = """

    .drawing { flex-basis: 36rem; } .sides > .list { flex: 2 1 24rem; }
    .list li { margin-bottom: .7rem; }
    \(verdictStyle)
    """

/// How the buttons of verdicts and the groups of changes look.
let verdictStyle = """
    .verdicts button { font: inherit; background: var(--box); border: 1px solid var(--line);
      border-radius: 6px; padding: .15rem .6rem; margin: 0 .4rem .4rem 0; }
    .verdicts button[aria-pressed=true] { border-color: currentColor; }
    h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; overflow-wrap: anywhere; }
    """
