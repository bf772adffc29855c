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
    let picture = report.diagram.changedPart()
    let items = report.mapping.judgements.map { item($0, report, in: picture) }
        .joined(separator: "\n")
    let refusals = report.mapping.refusals.map { refusal in
        "<li class=\"removed\"><b>\(markup(refusal.path ?? "model"))</b> \(markup(refusal.text))"
            + "<br><span class=\"faint\">\(markup(refusal.cure))</span></li>"
    }
    let asked = report.diagnostics.map { "<li>\(markup($0.message))</li>" }
    let moved = report.diff.movedEntities.map { "<code>\(markup($0))</code>" }
    let body = """
        <p class="\(report.mapping.verdict.colour)"><b>\(markup(report.headline))</b></p>
        <p class="faint"><code>\(markup(report.from.checksum))</code> →
        <code>\(markup(report.to.checksum))</code></p>
        <div class="sides">
        \(pictureFrame(picture))
        <div class="list">
        \(section("Core Data infers no mapping", refusals))
        \(section("Asked about", asked))
        <h2>\(report.mapping.judgements.count.counted("change"))</h2>
        <ul>
        \(items)
        </ul>
        \(moved.isEmpty ? "" : "<h2>Entity hashes that move</h2><p>\(moved.joined(separator: ", "))</p>")
        </div>
        </div>
        """
    return page(
        title: "\(report.from.name) → \(report.to.name)",
        style: pictureStyle + comparisonStyle,
        body: body,
        script: pictureScript
    )
}

private func section(_ title: String, _ items: [String]) -> String {
    guard !items.isEmpty else { return "" }
    return "<h2>\(title)</h2>\n<ul>\n\(items.joined(separator: "\n"))\n</ul>"
}

func item(_ judgement: Judgement, _ report: DiffReport, in picture: Diagram?) -> String {
    let subject = judgement.change.subject
    let name = markup(subject.path ?? "model")
    let anchor = subject.entity.flatMap { picture?.anchor(ofBox: $0) }
    let title = anchor.map { "<a href=\"#\($0)\">\(name)</a>" } ?? name
    let queries = report.queries(for: judgement).map { "<br><code>\(markup($0))</code>" }.joined()
    let cure = judgement.cure.map { "<br><span class=\"faint\">\(markup($0))</span>" } ?? ""
    return """
        <li><b>\(title)</b> \
        \(markup(judgement.change.words.line))<br>\
        <span class="\(judgement.verdict.colour)">\(markup(judgement.verdict.words))</span>: \
        \(markup(judgement.effect))\(queries)\(cure)</li>
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

    .picture { flex-basis: 36rem; } .sides > .list { flex: 2 1 24rem; }
    .list li { margin-bottom: .7rem; }
    """
