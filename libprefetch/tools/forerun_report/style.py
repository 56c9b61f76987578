# SPDX-License-Identifier: Apache-2.0
"""What the page begins with. On a wide screen the sources stand beside the figures."""

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forerun: report of a run</title>
<style>
:root { color-scheme: light dark; --text: #1f2328; --faint: #626b75; --page: #fff;
  --raised: #f6f8fa; --rule: #d8dee4; --link: #0a58ca; --on-time: #2f7ed8; --late: #e8a02f;
  --missed: #9aa5b1; --fetch: #6f62b5; --called: #e8f1fd; --target: #ffef9e }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --faint: #9aa4ae; --page: #14171b;
  --raised: #1d2228; --rule: #353c45; --link: #7db4ff; --on-time: #4a96ee; --late: #dd9a35;
  --missed: #7b8794; --fetch: #9487dd; --called: #1c2c42; --target: #575011 } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; color: var(--text);
  background: var(--page); overflow-wrap: anywhere }
header { padding: 1em 1.5em .8em; border-bottom: 1px solid var(--rule); background: var(--raised) }
h1 { font-size: 1.35em; margin: 0 } header p { margin: 0; color: var(--faint) }
h2 { font-size: 1.05em; margin: 1.6em 0 .5em } h2 .faint { font-weight: 400 }
section h2:first-child { margin-top: 0 }
.figures, section { padding: 1.2em 1.5em; min-width: 0 }
.figures { container: figures / inline-size }
main { margin: 0 auto; max-width: 110em }
@media (max-width: 40em) { header, .figures, section { padding-left: .9em; padding-right: .9em } }
@media (min-width: 75em) {
  main.beside { display: grid; grid-template-columns: 3fr 2fr; max-width: none }
  main.beside section { position: sticky; top: 0; max-height: 100vh; overflow-y: auto;
    border-left: 1px solid var(--rule) }
}
.tiles { display: grid; grid-template-columns: repeat(2, 1fr); gap: .8em }
@container figures (min-width: 44em) { .tiles { grid-template-columns: repeat(3, 1fr) } }
@container figures (min-width: 80em) { .tiles { grid-template-columns: repeat(6, 1fr) } }
.tile { display: flex; flex-direction: column; padding: .6em .9em; border: 1px solid var(--rule);
  border-radius: .5em; background: var(--raised); min-width: 0 }
.tile .name { font-weight: 600; font-size: 14px }
.tile .value { font-size: 1.6em; line-height: 1.3 }
.faint { color: var(--faint); font-size: 13px }
.remark { border-left: 4px solid var(--late); padding: .2em .8em; margin: .8em 0 0 }
.pictures { display: grid; gap: .8em; margin-top: .8em; grid-template-columns: minmax(0, 1fr) }
@container figures (min-width: 48em) {
  .pictures { grid-template-columns: repeat(2, minmax(0, 1fr)) }
  .pictures .over-time { grid-column: 1 / -1 }
}
@container figures (min-width: 80em) {
  .pictures { grid-template-columns: minmax(0, 2fr) repeat(2, minmax(0, 1fr)) }
  .pictures .over-time { grid-column: auto }
}
figure { margin: 0; padding: .7em .9em; border: 1px solid var(--rule); border-radius: .5em;
  container: figure / inline-size }
figcaption { font-weight: 600 } figure p { margin: 0 0 .3em; color: var(--faint); font-size: 13px }
.legend span { display: inline-block; width: .8em; height: .8em; border-radius: .2em;
  margin: 0 .35em 0 .9em } .legend span:first-child { margin-left: 0 }
.legend .on-time { background: var(--on-time) } .legend .late { background: var(--late) }
.legend .missed { background: var(--missed) }
.chart { padding: 0 14px 0 62px } .chart svg { display: block; width: 100%; overflow: visible }
svg text { font: 12px system-ui, sans-serif; fill: var(--faint) }
@container figure (max-width: 380px) { .tick:not(.small) { display: none } }
@container figure (min-width: 380.1px) and (max-width: 640px) {
  .tick:not(.middle) { display: none } }
@container figure (min-width: 640.1px) { .tick:not(.large) { display: none } }
svg .on-time { fill: var(--on-time) } svg .late { fill: var(--late) }
svg .missed { fill: var(--missed) } svg .fetch { fill: var(--fetch) }
svg .axis { stroke: var(--faint) } svg .grid { stroke: var(--rule) }
svg.share { display: block; width: 9em; height: 1em; margin-top: .3em; border-radius: .2em }
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
table { border-collapse: collapse; width: 100%; font-size: 14px }
th { text-align: left; font-weight: 600; color: var(--faint) }
th, td { padding: .35em .9em .35em 0; vertical-align: top; border-bottom: 1px solid var(--rule);
  font-variant-numeric: tabular-nums; white-space: nowrap }
th.n, td.n { text-align: right; width: 5.5em }
td:first-child { white-space: normal; min-width: 14em }
code, .line { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px }
.where { display: block; font-size: 12.5px }
/* In a narrow column a row is a block: what it is about, and below it each figure with its name. */
@container figures (max-width: 50em) {
  table, tbody, tr { display: block } th { display: none }
  tr { padding: .4em 0; border-bottom: 1px solid var(--rule) }
  td, td.n { display: inline-block; width: auto; padding: 0 1.1em 0 0; border: 0; text-align: left }
  td:first-child { display: block; min-width: 0 }
  td.n::before { color: var(--faint) }
  td:nth-child(2)::before { content: "reads " } td:nth-child(4)::before { content: "coverage " }
  td:nth-child(5)::before { content: "bytes " } td:nth-child(6)::before { content: "in reads " }
  td:nth-child(7)::before { content: "hidden " }
}
.source { border: 1px solid var(--rule); border-radius: .4em; padding: .3em 0; overflow-x: auto }
.line { display: flex; line-height: 1.5; min-height: 1.5em }
.line .number { flex: none; width: 4.5em; padding-right: .7em; text-align: right;
  color: var(--faint); border-right: 3px solid transparent; user-select: none }
@media (max-width: 40em) { .line .number { width: 3.5em } }
.line .text { white-space: pre-wrap; tab-size: 8; padding: 0 .8em; min-width: 0 }
.call { background: var(--called) } .call .number { border-right-color: var(--on-time) }
.line:target { background: var(--target) }
.mark { display: inline-block; margin-left: .8em; padding: 0 .55em; border-radius: .7em;
  font: 12.5px/1.5 system-ui, sans-serif; color: #14171b; white-space: normal }
.mark.on-time { background: var(--on-time); color: #fff } .mark.late { background: var(--late) }
.mark.missed { background: var(--missed) }
summary { cursor: pointer; color: var(--faint); background: var(--raised); font-size: 13px;
  padding: .1em .8em .1em 1.2em }
</style>
</head>
<body>
"""
