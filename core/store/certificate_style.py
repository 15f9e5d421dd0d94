"""How the deduplication certificate looks: on screen, light and dark, and on paper."""

CERTIFICATE_CSS = """
:root {
  color-scheme: light dark;
  --paper: #FBFAF7; --card: #FFFFFF; --ink: #22262B; --quiet: #5C636B; --line: #E4E1DA;
  --accent: #2F6FDE; --same: #2E8B57; --different: #C8553D; --unsure: #B98900; --bar: #A9ADB3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1B1D20; --card: #222529; --ink: #E7E5E0; --quiet: #A9ADB1; --line: #33373C;
    --accent: #7AA7FF; --same: #5DBB86; --different: #E5836D; --unsure: #D9AE3C; --bar: #6B7178;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 32px 16px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
main {
  max-width: 820px; margin: 0 auto; padding: 40px 48px; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; border-top: 4px solid var(--accent);
}
header { margin-bottom: 24px; }
.kind { margin: 0; color: var(--accent); font-size: 13px; font-weight: 600; }
h1 { margin: 4px 0; font-size: 28px; line-height: 1.25; overflow-wrap: anywhere; }
h2 {
  margin: 32px 0 12px; padding-bottom: 4px; font-size: 16px; border-bottom: 1px solid var(--line);
}
.quiet, figcaption, small { color: var(--quiet); font-size: 13px; }
.sum { margin: 0; font-size: 20px; font-weight: 600; }
.shares { display: flex; gap: 2px; height: 12px; margin: 16px 0 8px; }
.shares span { min-width: 2px; border-radius: 2px; }
.key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0; padding: 0; list-style: none; }
.key li::before {
  content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 6px;
  border-radius: 2px; background: var(--of);
}
.kept { --of: var(--same); } .copies { --of: var(--bar); }
.accepted { --of: var(--accent); } .decided { --of: var(--unsure); }
.shares span { background: var(--of); }
.stale {
  margin: 0 0 24px; padding: 12px 16px; border: 1px solid var(--unsure); border-radius: 6px;
}
.stale ul { margin: 4px 0 0; padding-left: 20px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th, td { padding: 6px 12px 6px 0; text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 500; }
tr + tr > * { border-top: 1px solid var(--line); }
.facts th { width: 190px; }
.number { text-align: right; white-space: nowrap; }
code {
  font: 12px/1.5 ui-monospace, "Cascadia Mono", Consolas, Menlo, monospace;
  overflow-wrap: anywhere;
}
.name { overflow-wrap: anywhere; }
.same { color: var(--same); } .different { color: var(--different); }
.unsure { color: var(--unsure); }
.rules li { margin-bottom: 6px; }
figure { margin: 0; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font-size: 11px; }
svg .alone { fill: var(--bar); } svg .review { fill: var(--unsure); }
svg .automatic { fill: var(--accent); }
svg .axis { stroke: var(--line); } svg .threshold { stroke: var(--ink); stroke-dasharray: 3 3; }
footer { margin-top: 32px; padding-top: 12px; border-top: 1px solid var(--line); }
@media (max-width: 640px) { main { padding: 24px 16px; } .facts th { width: 120px; } }
@media print {
  :root {
    --paper: #FFFFFF; --card: #FFFFFF; --ink: #000000; --quiet: #444444; --line: #CCCCCC;
    --accent: #2F6FDE; --same: #2E8B57; --different: #C8553D; --unsure: #B98900; --bar: #A9ADB3;
  }
  @page { size: A4; margin: 18mm 16mm; }
  body { padding: 0; font-size: 10.5pt; }
  main { max-width: none; padding: 0; border: 0; }
  h2 { break-after: avoid; } tr, figure, .sum, .stale, li { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
