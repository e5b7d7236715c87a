/**
 * Typst template of PDFs: the functions that documents are composed of. It contains no user content.
 *
 * Functions take content or strings, and numbers in points.
 */
export const template = String.raw`
#let ink = rgb("#1f2430")
#let soft = rgb("#5b6270")
#let rule = rgb("#d9dde4")
#let wash = rgb("#f6f7f9")
#let accent = rgb("#2f62c9")
#let mono = "JetBrains Mono"
#let faces = ("Inter", "Tajawal", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans SC", "NanumGothic", "M PLUS 1p", "Noto Emoji")
#let japanese = ("Inter", "Tajawal", "Noto Sans Arabic", "Noto Sans Hebrew", "M PLUS 1p", "Noto Sans SC", "NanumGothic", "Noto Emoji")
#let monos = (mono, ..faces.slice(1))
// No ligatures in code: the font would draw "=>" as one arrow.
#let literal = (calt: 0, liga: 0)

#let j(..parts) = [#parts.pos().join()]

// Inside a line.
#let strong-text(x) = strong(x)
#let emphasis(x) = emph(x)
#let underlined(x) = underline(offset: 2pt, x)
#let struck(x) = strike(x)
#let raised(x) = super(x)
#let lowered(x) = sub(x)
#let small-text(x) = text(size: 0.85em, fill: soft, x)
#let code(x) = highlight(fill: rgb("#eceff3"), radius: 2pt, extent: 1.2pt, text(font: monos, features: literal, size: 0.88em, x))
#let key(x) = box(stroke: 0.5pt + rgb("#aeb4bf"), fill: white, radius: 2.5pt, inset: (x: 3pt), outset: (y: 2pt), text(font: monos, features: literal, size: 0.8em, x))
#let marked(x) = highlight(fill: rgb("#fff1b8"), x)
#let painted(color, x) = text(fill: rgb(color), x)
#let washed(color, x) = highlight(fill: rgb(color), radius: 2pt, extent: 1pt, x)
#let away(url, x) = link(url, text(fill: accent, x))
#let within(name, x) = link(label(name), text(fill: accent, x))
#let plain-away(url, x) = link(url, x)
#let plain-within(name, x) = link(label(name), x)
#let target(name) = [#metadata(none)#label(name)]
#let sign(path, size) = box(baseline: 0.14em, image(path, height: size * 1em))
#let chip(x) = box(fill: rgb("#eceff3"), radius: 7pt, inset: (x: 5pt), outset: (y: 2.2pt), text(size: 0.8em, x))
#let painted-chip(color, x) = box(fill: rgb(color), radius: 7pt, inset: (x: 5pt), outset: (y: 2.2pt), text(size: 0.8em, x))
#let button(x) = box(stroke: 0.7pt + accent, radius: 4pt, inset: (x: 6pt), outset: (y: 3.5pt), text(size: 0.9em, x))
#let from-left(x) = { set text(dir: ltr); x }
#let from-right(x) = { set text(dir: rtl); x }
#let in-japanese(x) = { set text(font: japanese, lang: "ja"); x }

// Blocks.
#let p(..parts) = par(parts.pos().join())
#let aligned(where, x) = align(if where == "center" { center } else { end }, x)
#let section(level, depth, shown, name, ..parts) = {
  let (size, above, below) = ((14.5pt, 1.9em, 0.85em), (12pt, 1.7em, 0.8em), (10.5pt, 1.5em, 0.75em)).at(depth - 1)
  show heading: it => block(above: above, below: below, sticky: true, text(size: size, it.body))
  [#heading(level: level, outlined: shown, bookmarked: true, parts.pos().join())#label(name)]
}
#let page-title(level, name, start, sign, title) = {
  if start { pagebreak(weak: true) }
  show heading: it => block(above: 1.6em, below: 0.9em, sticky: true, text(size: 20pt, it.body))
  [#heading(level: level, outlined: true, bookmarked: true, j(sign, title))#label(name)]
}
#let lead(..parts) = block(below: 1.4em, text(size: 11pt, fill: soft, parts.pos().join()))
#let divider() = block(above: 1.3em, below: 1.3em, line(length: 100%, stroke: 0.6pt + rule))
// A bar at the side where lines begin.
#let barred(color, body, ..rest) = context block(width: 100%, stroke: if text.dir == rtl { (right: 2.5pt + color) } else { (left: 2.5pt + color) }, ..rest, body)
#let quotation(..parts) = barred(rule, inset: (x: 11pt, y: 2pt), text(fill: rgb("#414856"), parts.pos().join()))
#let points(tight, ..items) = list(tight: tight, spacing: if tight { 0.62em } else { auto }, ..items)
#let numbered(tight, start, ..items) = enum(tight: tight, start: start, spacing: if tight { 0.62em } else { auto }, ..items)
#let tick(done) = box(width: 0.85em, height: 0.85em, radius: 2pt, baseline: 0.08em, stroke: 0.7pt + if done { accent } else { rgb("#9aa1ad") }, fill: if done { accent } else { white }, if done { align(center + horizon, curve(stroke: 1.1pt + white, curve.move((0%, 50%)), curve.line((0.18em, 0.22em)), curve.line((0.5em, -0.16em)))) })
#let tasks(tight, ..items) = grid(columns: (auto, 1fr), column-gutter: 6pt, row-gutter: if tight { 0.62em } else { 1em }, ..items.pos().map(((done, body)) => (tick(done), body)).flatten())
#let terms-of(..items) = for (term, about) in items.pos() {
  block(below: 0.5em, sticky: true, term)
  block(inset: (x: 12pt), below: 0.9em, width: 100%, about)
}
#let hint(style, sign, ..parts) = {
  let (fill, edge) = (
    info: ("#eef4ff", "#3b6fd6"), success: ("#ecf8f0", "#1b7f47"), warning: ("#fff6e5", "#b86e00"), danger: ("#fdeeec", "#c0352b"),
  ).at(style)
  barred(rgb(edge), fill: rgb(fill), inset: (x: 11pt, y: 10pt),
    grid(columns: (auto, 1fr), column-gutter: 9pt, box(image(sign, height: 1.25em)), parts.pos().join()))
}
#let boxed(..parts) = block(width: 100%, stroke: 0.6pt + rule, radius: 5pt, inset: (x: 11pt, y: 10pt), parts.pos().join())
#let soft-box(..parts) = block(width: 100%, fill: wash, stroke: 0.6pt + rule, radius: 5pt, inset: (x: 11pt, y: 10pt), parts.pos().join())
#let folded(title, ..parts) = block(width: 100%, stroke: 0.6pt + rule, radius: 5pt, inset: 0pt, {
  block(width: 100%, below: 0pt, inset: (x: 11pt, y: 8pt), sticky: true, strong(title))
  block(width: 100%, above: 0pt, inset: (x: 11pt, top: 2pt, bottom: 10pt), parts.pos().join())
})
#let tabbed(..tabs) = block(width: 100%, for (title, body) in tabs.pos() {
  block(below: 0pt, sticky: true, fill: rgb("#eceff3"), radius: (top: 4pt), inset: (x: 9pt, y: 5.5pt), text(size: 0.9em, weight: "bold", title))
  block(above: 0pt, width: 100%, stroke: 0.6pt + rule, radius: (bottom: 4pt), inset: (x: 11pt, y: 10pt), body)
})
#let step-mark(x) = box(width: 17pt, height: 17pt, radius: 9pt, fill: rgb("#e3ebfb"), align(center + horizon, text(size: 0.85em, weight: "bold", fill: accent, x)))
#let stepper(..steps) = for (mark, body) in steps.pos() {
  grid(columns: (17pt, 1fr), column-gutter: 11pt, step-mark(mark), block(width: 100%, inset: (top: 2.5pt, bottom: 8pt), body))
}
#let side-by-side(shares, ..cells) = grid(columns: shares.map((share) => share * 1fr), column-gutter: 16pt, row-gutter: 14pt, ..cells)
#let cards(count, ..cells) = block(width: 100%, grid(columns: (1fr,) * count, gutter: 9pt, ..cells.pos().map((cell) => grid.cell(stroke: 0.6pt + rule, inset: 10pt, breakable: false, cell))))
#let line-card(sign, title, detail) = block(width: 100%, stroke: 0.6pt + rule, radius: 5pt, inset: (x: 11pt, y: 8.5pt), breakable: false,
  grid(columns: (auto, 1fr), column-gutter: 9pt, align: horizon, text(size: 1.25em, sign), { strong(title); if detail != none { linebreak(); text(size: 0.82em, fill: soft, detail) } }))
#let caption(..parts) = align(center, text(size: 0.86em, fill: soft, parts.pos().join()))
#let figure-of(above, below) = block(width: 100%, breakable: false, { above; if below != none { v(-0.35em); caption(below) } })
#let beside(..cells) = grid(columns: (1fr,) * cells.pos().len(), gutter: 10pt, ..cells)
#let notes(..parts) = { block(above: 1.8em, below: 0.8em, line(length: 30%, stroke: 0.5pt + rule)); text(size: 0.88em, parts.pos().join()) }
#let note(number, name, ..parts) = grid(columns: (16pt, 1fr), [#text(fill: soft, number)#metadata(none)#label(name)], parts.pos().join())

// A picture of the width that its author set, never wider than the column nor higher than a page.
#let picture(path, width, height, alt, framed) = layout((room) => {
  let wide = calc.min(width * 1pt, room.width)
  let high = wide * (height / calc.max(width, 1))
  let most = 560pt
  if high > most { wide = wide * (most / high) }
  let drawn = image(path, width: wide, alt: alt)
  align(center, if framed { box(stroke: 0.6pt + rule, radius: 4pt, clip: true, drawn) } else { drawn })
})
#let share-picture(path, share, alt) = align(center, image(path, width: share * 1%, alt: alt))
#let line-picture(path, alt) = box(baseline: 0.2em, image(path, height: 1.3em, alt: alt))

// Code: its lines in runs of some dozens, which break between pages.
#let listing(title, language, ..runs) = block(width: 100%, stroke: 0.6pt + rule, radius: 4pt, inset: 0pt, {
  if title != none or language != none {
    block(width: 100%, below: 0pt, sticky: true, fill: rgb("#eceff3"), radius: (top: 4pt), inset: (x: 10pt, y: 5.5pt), text(size: 0.82em, { if title != none { strong(title) }; h(1fr); if language != none { text(fill: soft, language) } }))
  }
  block(width: 100%, above: 0pt, fill: wash, radius: if title == none and language == none { 4pt } else { (bottom: 4pt) }, inset: (x: 10pt, y: 8pt), text(font: monos, features: literal, size: 0.82em, dir: ltr, {
    set par(leading: 0.6em, justify: false, linebreaks: "simple")
    set align(left)
    for run in runs.pos() { block(above: 0.6em, below: 0.6em, run) }
  }))
})
#let bare-lines(..lines) = par(lines.pos().join(linebreak()))
#let numbered-lines(first, ..lines) = grid(columns: (auto, 1fr), column-gutter: 10pt, row-gutter: 0.6em, ..lines.pos().enumerate().map(((at, (marked, line))) => (
  text(fill: rgb("#8b93a1"), align(end, str(first + at))), if marked { highlight(fill: rgb("#dfe8fb"), line) } else { line })).flatten())
#let marked-lines(..lines) = par(lines.pos().map(((marked, line)) => if marked { highlight(fill: rgb("#dfe8fb"), line) } else { line }).join(linebreak()))

// Tables repeat their head on every page and break between rows, and in them.
#let cell(across, down, where, x) = table.cell(colspan: across, rowspan: down, align: if where == "center" { center } else if where == "right" { end } else { auto }, x)
#let sheet(widths, size, head, ..cells) = block(width: 100%, text(size: size * 1em, {
  set par(justify: false)
  table(columns: widths.map((width) => if width == 0 { auto } else { width * 1fr }), stroke: (x, y) => (bottom: 0.6pt + rule), inset: (x: 6pt, y: 5.5pt), align: start + top,
    ..if head.len() > 0 { (table.header(..head.map((one) => one)),) },
    ..cells)
}))
#let head-cell(across, down, where, x) = table.cell(fill: wash, colspan: across, rowspan: down, align: if where == "center" { center } else if where == "right" { end } else { auto }, strong(x))

// Operations of an API.
#let method(color, name) = box(fill: rgb(color), radius: 3pt, inset: (x: 5pt), outset: (y: 2.5pt), text(size: 0.78em, weight: "bold", fill: white, name))

// Formulas.
#let formula(display, alt, x) = math.equation(block: display, alt: alt, x)
#let letter(x) = symbol(x)
#let upright(x) = math.upright(x)
#let em(x) = x * 1em
#let enclosed(x) = box(stroke: 0.6pt + ink, inset: 3pt, math.equation(x))
#let fenced(..parts) = math.lr(parts.pos().join())
#let script(base, above, below) = math.attach(base, tr: above, br: below)
#let limit(base, above, below) = math.attach(math.limits(base), t: above, b: below)
#let matrix(rows) = math.mat(delim: none, ..rows)

#let cover(sign, title, subtitle) = page(footer: none, {
  v(30%)
  block(width: 100%, stroke: (top: 3pt + accent), inset: (top: 18pt), {
    text(size: 32pt, weight: "bold", fill: rgb("#12161f"), par(leading: 0.4em, j(sign, title)))
    if subtitle != none { v(0.6em); text(size: 13pt, fill: soft, subtitle) }
  })
})
#let contents(title) = {
  block(below: 1.6em, text(size: 20pt, weight: "bold", fill: rgb("#12161f"), title))
  outline(title: none, depth: 4, indent: 1.4em)
  pagebreak(weak: true)
}

#let book(title, language, direction, body) = {
  set document(title: title, date: none)
  set text(font: faces, size: 10pt, fill: ink, lang: language, dir: if direction == "rtl" { rtl } else { ltr }, hyphenate: false, fallback: true)
  set page(paper: "a4", margin: (x: 2.3cm, top: 2.2cm, bottom: 2.3cm), footer: context text(size: 8pt, fill: soft,
    // In a grid: in one line with a title of another direction, the number would be placed among its words.
    grid(columns: (1fr, auto), title, counter(page).display())))
  set par(leading: 0.72em, spacing: 1.05em, justify: false)
  set block(spacing: 1.05em)
  set list(marker: (text(fill: soft)[•], text(fill: soft)[–]), indent: 2pt, body-indent: 7pt)
  set enum(indent: 2pt, body-indent: 7pt)
  set heading(numbering: none, supplement: none)
  show heading: set text(weight: "bold", fill: rgb("#12161f"))
  show outline.entry.where(level: 1): set block(above: 1.1em)
  show outline.entry.where(level: 1): set text(weight: "bold")
  set outline.entry(fill: text(fill: rule, repeat([.], gap: 0.25em)))
  show math.equation: set text(size: 1.05em)
  body
}
`
