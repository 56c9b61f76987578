// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What every page of `forerun-slice --html` begins with. On a wide screen, the calls and functions
/// are beside the source, and stay where they are.

namespace forerun::slicer {

inline constexpr const char *kHtmlHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forerun: the slice</title>
<style>
:root { color-scheme: light dark; --text: #1f2328; --faint: #6a737d; --page: #fff; --raised: #f6f8fa; --rule: #d8dee4;
  --link: #0a58ca; --slice: #e8f1fd; --edge: #3b7dd8; --read: #bfe8c5; --forwarded: #ffe0b0; --sync: #e3d1f5;
  --io: #dde3ea; --out: #ececec; --note: #fff4b8; --end: #f9c7c4; --target: #ffef9e }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --faint: #98a1ab; --page: #14171b; --raised: #1d2228;
  --rule: #353c45; --link: #7db4ff; --slice: #1c2c42; --edge: #5b9bf0; --read: #1d5530; --forwarded: #6b4a12;
  --sync: #503370; --io: #3a4450; --out: #33383e; --note: #5c5214; --end: #6e2c28; --target: #575011 } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--page) }
header { padding: 1em 1.5em .8em; border-bottom: 1px solid var(--rule); background: var(--raised) }
h1 { font-size: 1.35em; margin: 0 0 .2em } header p { margin: .2em 0 }
h2 { font-size: 1.05em; margin: 1.4em 0 .5em }
nav h2:first-child, section h2:first-child { margin-top: 0 }
nav, section { padding: 1.2em 1.5em; min-width: 0 }
@media (min-width: 80em) {
  main { display: grid; grid-template-columns: minmax(28em, 2fr) 3fr }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; border-right: 1px solid var(--rule) }
}
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
table { border-collapse: collapse; width: 100%; font-size: 14px }
th { text-align: left; font-weight: 600; color: var(--faint); border-bottom: 1px solid var(--rule) }
th, td { padding: .3em .8em .3em 0; vertical-align: top }
td { border-bottom: 1px solid var(--rule) }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
code, .line { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px }
.where { display: block; color: var(--faint); font-size: 12.5px; overflow-wrap: anywhere }
.source { border: 1px solid var(--rule); border-radius: .4em; padding: .3em 0; overflow-x: auto }
.line { display: flex; line-height: 1.5; min-height: 1.5em }
.line .number { flex: none; width: 4.5em; padding-right: .7em; text-align: right; color: var(--faint);
  border-right: 3px solid transparent; user-select: none }
.line .text { white-space: pre-wrap; tab-size: 8; padding: 0 .8em; color: var(--faint); min-width: 0 }
.kept { background: var(--slice) } .kept .text { color: var(--text) } .kept .number { border-right-color: var(--edge) }
.line:target { background: var(--target) }
.mark { display: inline-block; padding: 0 .55em; border-radius: .7em; font: 12.5px/1.5 system-ui, sans-serif;
  color: var(--text); white-space: normal }
@media (min-width: 50em) { td .mark { white-space: nowrap } }
.text .mark { margin-left: .8em }
.read { background: var(--read) } .forwarded { background: var(--forwarded) } .sync { background: var(--sync) }
.io { background: var(--io) } .out { background: var(--out) } .note { background: var(--note) }
.end { background: var(--end) } .slice { background: var(--slice); border-left: 3px solid var(--edge); border-radius: 0 }
summary { cursor: pointer; color: var(--faint) }
.source summary { padding: .1em .8em .1em 1.2em; background: var(--raised); font-size: 13px }
.legend .mark { margin: 0 .5em .2em 0 }
</style>
</head>
<body>
<header>
<h1>What the pre-execution thread runs</h1>
)";

inline constexpr const char *kHtmlLegend = R"(<p class="legend">
<span class="mark slice">a statement of the slice</span>
<span class="mark read">a read that is prefetched</span>
<span class="mark forwarded">a value forwarded by the main thread</span>
<span class="mark sync">a synchronisation point</span>
<span class="mark io">what else is done with the file</span>
<span class="mark end">pre-execution ends</span>
<span class="mark out">left out</span>
<span class="mark note">a note</span>
</p>
</header>
)";

} // namespace forerun::slicer
