import Essentials
package import ModelDrawing

/// Writes a picture as a page that stands alone: it can be moved and magnified, and boxes are found by name.
package func diagramPage(_ diagram: Diagram) -> String {
    let names = diagram.boxes.enumerated().map { index, box in
        "<li><a href=\"#box-\(index)\">\(shown(box.name))</a></li>"
    }
    let body = """
        <p class="faint">\(diagram.boxes.count.counted("box")), \(diagram.lines.count.counted("line")). Drag or use the arrow keys to move,
        Ctrl and the wheel, a pinch, or + and − to zoom; click a name to find its box.</p>
        <div class="sides">
        \(pictureFrame(diagram))
        <div class="list"><input type="search" placeholder="Find an entity" aria-label="Find an entity">
        <ul class="names">
        \(names.joined(separator: "\n"))
        </ul></div>
        </div>
        """
    return page(
        title: diagram.title ?? "Entities",
        description: "A diagram of \(diagram.boxes.count.counted("entity"))",
        style: pictureStyle,
        body: body,
        script: pictureScript
    )
}

/// The frame in which a picture is moved and magnified.
///
/// A picture that is divided comes with an overview of its clusters, which is shown first; a click on one shows it.
func pictureFrame(_ diagram: Diagram) -> String {
    let clusters = diagram.clusters
    let overview = diagram.overview.map { overview in
        overview.svg(as: "overview") { number in
            let isFramed = clusters[number].title != nil
            return isFramed ? "#cluster-\(number)" : "#box-\(clusters[number].boxes[0])"
        }
    }
    let back =
        overview == nil ? "" : "<button data-zoom=\"back\" hidden>all clusters</button>"
    return """
        <div class="drawing">
        <div class="tools">\(back)<button data-zoom="1.25" aria-label="zoom in">+</button>
        <button data-zoom="0.8" aria-label="zoom out">−</button>
        <button data-zoom="0">fit</button></div>
        <div class="picture" tabindex="0" role="group" aria-label="diagram; arrow keys move it, plus and minus zoom">
        \([overview, diagram.svg].compactMap(\.self).joined(separator: "\n"))
        </div>
        </div>
        """
}

let pictureStyle = """
    body { max-width: none; margin: 1rem 0; }
    .sides { display: flex; flex-wrap: wrap; gap: 1rem; align-items: stretch; }
    .drawing { flex: 5 1 40rem; min-width: 0; }
    .picture { overflow: hidden; height: 85vh;
      border: 1px solid var(--line); border-radius: 8px; touch-action: pan-x pan-y; cursor: grab; }
    .far .box text, .far .rule, .far .line text, .far .cluster text, .far .legend, .far .name { display: none; }
    .afar { display: none; } .far .afar { display: inline; pointer-events: none; } .afar [hidden] { display: none; }
    .afar text { fill: var(--ink); font-weight: 700; paint-order: stroke; stroke: var(--paper); stroke-width: .2em; }
    .afar .over { fill: var(--faint); } .afar .added { fill: var(--added); } .afar .removed { fill: var(--removed); }
    .afar .changed { fill: var(--changed); }
    .sought .box:not(.found), .sought .line, .sought .afar text:not(.found) { opacity: .15; }
    .picture svg { display: block; width: 100%; height: 100%; }
    .picture:not(.live) { overflow: auto; } .picture:not(.live) svg { height: auto; }
    .picture svg[hidden] { display: none; }
    .tools { text-align: right; margin-bottom: .4rem; }
    .tools button, input { font: inherit; color: var(--ink); background: var(--box);
      border: 1px solid var(--line); border-radius: 6px; padding: .15rem .6rem; }
    .list { flex: 1 1 16rem; min-width: 0; max-height: 85vh; overflow: auto; }
    .list input { width: calc(100% - 1.4rem); }
    .list ul { padding-left: 1.1rem; } .list li { overflow-wrap: anywhere; }
    .names { list-style: none; } a { color: var(--link); text-decoration: none; }
    a:hover { text-decoration: underline; }
    @media (max-width: 40rem) { .picture { height: 60vh; } .list { max-height: none; } }
    """
