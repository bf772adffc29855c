/// How boxes and lines look; a viewer that likes it dark gets it dark.
let svgStyle = """
    svg { --ink: #1d1d1f; --paper: #fff; --box: #f5f5f7; --rule: #c7c7cc; --faint: #6e6e73;
      --added: #1a7f37; --removed: #cf222e; --changed: #9a6700;
      font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
    @media (prefers-color-scheme: dark) { svg { --ink: #f5f5f7; --paper: #161618; --box: #232326;
      --rule: #48484a; --faint: #98989d; --added: #3fb950; --removed: #ff6b62; --changed: #e3b341; } }
    .paper { fill: var(--paper); }
    .cluster rect { fill: var(--ink); fill-opacity: .035; stroke: var(--rule); stroke-dasharray: 1 4; }
    .cluster text { fill: var(--faint); font-size: 26px; font-weight: 700; }
    .frame { fill: var(--box); stroke: var(--rule); }
    .rule { stroke: var(--rule); fill: none; }
    .box text { fill: var(--ink); } .box .kind { fill: var(--faint); }
    .title { font-weight: 700; } .abstract { font-style: italic; }
    .box.added .frame { stroke: var(--added); stroke-width: 2; }
    .box.removed .frame { stroke: var(--removed); stroke-width: 2; stroke-dasharray: 5 3; }
    .box.changed .frame { stroke: var(--changed); stroke-width: 2; }
    .box text.added, .box.added .title { fill: var(--added); }
    .box text.removed, .box.removed .title { fill: var(--removed); text-decoration: line-through; }
    .box text.changed, .box.changed .title { fill: var(--changed); }
    .way { fill: none; stroke-width: 1.3; } .line:hover .way { stroke-width: 3; }
    .inherits .way { stroke-width: 1.6; } .line.inherits { --tie: var(--faint); }
    .composite .frame { stroke-dasharray: 2 3; fill: var(--paper); }
    .box a { text-decoration: none; } .box a:hover .frame { stroke: var(--link, #0969da); }
    .cluster:target rect { stroke: var(--link, #0969da); stroke-dasharray: none; }
    .box:target .frame { stroke: var(--link, #0969da); stroke-width: 3; }
    .name { font-size: 16px; font-weight: 700; fill: var(--ink); }
    .legend text { font-size: 11px; fill: var(--faint); } .legend { --tie: var(--faint); }
    .composed .way { stroke-dasharray: 2 3; }
    .sign { fill: none; stroke-width: 1.3; stroke-dasharray: none; } .hollow { fill: var(--paper); }
    .line text { fill: var(--faint); stroke: none; font-size: 11px; }
    .line .full { fill: var(--tie); } .line, .line .way { stroke: var(--tie); }
    .c0 { --tie: #5b7fb5; } .c1 { --tie: #b0704f; } .c2 { --tie: #5f9468; }
    .c3 { --tie: #9270b3; } .c4 { --tie: #b3608a; } .c5 { --tie: #4d98a0; }
    .line.added { --tie: var(--added); } .line.changed { --tie: var(--changed); }
    .line.removed { --tie: var(--removed); } .line.removed .way { stroke-dasharray: 5 3; }
    .line.added .way, .line.removed .way, .line.changed .way { stroke-width: 2; }
    """
