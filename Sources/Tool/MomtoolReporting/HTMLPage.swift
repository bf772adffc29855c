import Diagnostics
import ModelChecking
import XMLReading

/// Writes a page of HTML that needs nothing but itself: dark and light, no network, no scripts but its own.
///
/// - Parameters:
///   - title: the title, which is the heading too.
///   - description: what the page shows, for search engines and previews.
///   - style: more style.
///   - body: the markup below the heading.
///   - script: its script.
/// - Returns: the page.
func page(
    title: String,
    description: String = "",
    style: String = "",
    body: String,
    script: String = ""
) -> String {
    let heading = markup(title.onOneLine)
    let summary = description.isEmpty ? heading : markup(description.onOneLine)
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="description" content="\(summary)">
        <title>\(heading)</title>
        <style>
        \(pageStyle)\(style)
        </style>
        </head>
        <body>
        <main>
        <h1>\(heading)</h1>
        \(body)
        </main>
        \(script.isEmpty ? "" : "<script>\n\(script)\n</script>")
        </body>
        </html>
        """
}

/// Writes findings as a page, the worst first; on a narrow screen the cells of each stand below each other.
func findingsPage(_ report: FindingReport) -> String {
    let sorted = [Severity.error, .warning, .note].flatMap { severity in
        report.findings.filter { $0.diagnostic.severity == severity }
    }
    let rows = sorted.map { finding in
        let diagnostic = finding.diagnostic
        let place = diagnostic.location?.description ?? report.subject
        let message = markup(finding.wholeMessage).replacing("\n", with: "<br>")
        return """
            <tr class="\(diagnostic.severity.rawValue)"><td>\(diagnostic.severity.rawValue)</td>\
            <td><code>\(markup(diagnostic.rule.rawValue))</code></td>\
            <td><code>\(markup(place.onOneLine))</code></td><td>\(message)</td></tr>
            """
    }
    let table =
        rows.isEmpty
        ? ""
        : """
        <table class="findings"><thead><tr><th>Severity</th><th>Rule</th><th>Place</th><th>Finding</th></tr></thead>
        <tbody>
        \(rows.joined(separator: "\n"))
        </tbody></table>
        """
    return page(
        title: "momtool \(report.command): \(report.subject)",
        style: findingsStyle,
        body: "<p>\(markup(report.summary))</p>\n\(table)"
    )
}

private let findingsStyle = """

    .findings td { overflow-wrap: anywhere; }
    @media (max-width: 600px) {
      .findings, .findings tbody, .findings tr, .findings td { display: block; }
      .findings thead { display: none; }
      .findings tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
      .findings td { border: 0; padding: 0; } }
    """

private let pageStyle = """
    :root { --ink: #1d1d1f; --paper: #fff; --line: #d2d2d7; --faint: #6e6e73; --box: #f5f5f7;
      --added: #1a7f37; --removed: #cf222e; --changed: #9a6700; --link: #0969da; }
    @media (prefers-color-scheme: dark) { :root { --ink: #f5f5f7; --paper: #161618; --line: #3a3a3c;
      --faint: #98989d; --box: #232326; --added: #3fb950; --removed: #ff6b62; --changed: #e3b341;
      --link: #58a6ff; } }
    body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
      margin: 2rem auto; max-width: 120rem; padding: 0 1rem; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
    code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0;
      border-bottom: 1px solid var(--line); }
    th { color: var(--faint); font-weight: 600; }
    tr.error > td:first-child, .removed { color: var(--removed); }
    tr.warning > td:first-child, .changed { color: var(--changed); }
    .added { color: var(--added); } .faint { color: var(--faint); }

    """
