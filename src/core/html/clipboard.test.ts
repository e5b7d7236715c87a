/** HTML of the clipboard, as each program writes it: Word, Excel, Google Docs and Sheets, Notion, GitHub, VS Code. */
import { describe, expect, it, test } from 'vitest'
import { convertHtml } from './convert.js'

const paste = (html: string) => convertHtml(html, { isClipboard: true })
const markdownOf = (html: string) => paste(html).markdown.trimEnd()

type Case = readonly [name: string, html: string, markdown: string]
const expectAll = (cases: readonly Case[], wrap: (body: string) => string) =>
  it.each(cases)('%s', (_name, html, markdown) => expect(markdownOf(wrap(html))).toBe(markdown))

describe('Word', () => {
  const office = `xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"`
  const wrap = (body: string) =>
    `<html ${office}>\r\n\r\n<head>\r\n<meta http-equiv=Content-Type content="text/html; charset=utf-8">\r\n<meta name=ProgId content=Word.Document>\r\n<meta name=Generator content="Microsoft Word 15">\r\n<style>\r\n<!--\r\n /* Style Definitions */\r\n p.MsoNormal\r\n\t{margin:0in;font-size:11.0pt;font-family:"Calibri",sans-serif;}\r\n-->\r\n</style>\r\n<!--[if gte mso 10]><style>table.MsoNormalTable {mso-style-name:"Table Normal";}</style><![endif]-->\r\n</head>\r\n\r\n<body lang=EN-US style='tab-interval:.5in;word-wrap:break-word'>\r\n<!--StartFragment-->\r\n\r\n${body}\r\n\r\n<!--EndFragment-->\r\n</body>\r\n\r\n</html>`
  const item = (list: string, level: number, marker: string, text: string, at = 'Middle') =>
    `<p class=MsoListParagraphCxSp${at} style='margin-left:${level * 0.5}in;mso-add-space:\r\nauto;text-indent:-.25in;mso-list:${list} level${level} lfo1'><![if !supportLists]><span\r\nstyle='font-family:Symbol;mso-fareast-font-family:Symbol'><span\r\nstyle='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;\r\n</span></span></span><![endif]>${text}<o:p></o:p></p>\r\n\r\n`
  expectAll(
    [
      ['paragraphs with marks', `<p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Bold</b>, <i>italic</i> and <a\r\nhref="https://octavo.test/a">a\r\nlink</a>.<o:p></o:p></p>\r\n\r\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>`, '**Bold**, *italic* and [a link](https://octavo.test/a).'],
      ['headings, a title and a quote', `<p class=MsoTitle>Plan</p><h1>One<o:p></o:p></h1><h2><a name="_Toc1"></a>Two</h2><p class=MsoQuote>Said.</p>`, '## Plan\n\n## One\n\n### Two\n\n> Said.'],
      ['nested bullets', item('l0', 1, '·', 'First', 'First') + item('l0', 2, 'o', 'Inner') + item('l0', 3, '§', 'Innermost') + item('l0', 1, '·', 'Second', 'Last'), '- First\n  - Inner\n    - Innermost\n- Second'],
      ['numbers with bullets below them', item('l1', 1, '3.', 'Three', 'First') + item('l2', 2, '·', 'Below') + item('l1', 1, '4.', 'Four', 'Last'), '3. Three\n   - Below\n4. Four'],
      ['two lists after one another', item('l0', 1, '·', 'Bullet') + item('l1', 1, 'a)', 'Letter'), '- Bullet\n\n1. Letter'],
      ['a list that begins below', item('l0', 2, 'o', 'Inner') + item('l0', 1, '·', 'Outer'), '- Inner\n\n+ Outer'],
      ['a table', `<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse'>\r\n <tr style='mso-yfti-irow:0'>\r\n  <td width=312 valign=top style='width:233.75pt'><p class=MsoNormal><b>Name<o:p></o:p></b></p></td>\r\n  <td width=312 valign=top><p class=MsoNormal><b>Size<o:p></o:p></b></p></td>\r\n </tr>\r\n <tr>\r\n  <td><p class=MsoNormal>a<o:p></o:p></p></td>\r\n  <td><p class=MsoNormal>1<o:p></o:p></p></td>\r\n </tr>\r\n</table>`, '| **Name** | **Size** |\n| --- | --- |\n| a | 1 |'],
    ],
    wrap,
  ) // prettier-ignore

  it('reports images of its own machine', () => {
    const { markdown, droppedImages, lost } = paste(
      wrap(
        `<p class=MsoNormal>Before <!--[if gte vml 1]><v:shape id="Picture_x0020_1" type="#_x0000_t75"><v:imagedata src="file:///C:/Users/ann/AppData/Local/Temp/msohtmlclip1/01/clip_image001.png" o:title=""/></v:shape><![endif]--><![if !vml]><img width=96 height=96 src="file:///C:/Users/ann/AppData/Local/Temp/msohtmlclip1/01/clip_image002.png" v:shapes="Picture_x0020_1"><![endif]> after</p>`,
      ),
    )
    expect(markdown).toBe('Before after\n')
    expect(droppedImages).toEqual([{ scheme: 'file', name: 'clip_image002.png' }])
    expect(lost).toEqual(['links that run or that only their machine knows (file:)'])
  })
})

describe('Google Docs', () => {
  const font = 'font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent'
  const span = (text: string, style = 'font-weight:400;font-style:normal;text-decoration:none') =>
    `<span style="${font};${style};font-variant:normal;vertical-align:baseline;white-space:pre;white-space:pre-wrap;">${text}</span>`
  const p = (inner: string) =>
    `<p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${inner}</p>`
  const li = (inner: string, level = 1, more = '') =>
    `<li dir="ltr" style="list-style-type:disc;font-size:11pt;white-space:pre;" aria-level="${level}"${more}><p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;" role="presentation">${inner}</p></li>`
  const ul = (inner: string) =>
    `<ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;">${inner}</ul>`
  const wrap = (body: string) =>
    `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-6c7e2b1a-7fff-1111-2222-333344445555">${body}</b><br class="Apple-interchange-newline">`
  expectAll(
    [
      ['one line, which is not bold', span('Plain ') + span('bold', 'font-weight:700;font-style:normal'), 'Plain **bold**'],
      ['paragraphs and a blank line between them', p(span('One')) + '<br>' + p(span('struck', 'font-weight:400;text-decoration:line-through')), 'One\n\n~~struck~~'],
      ['a link, without its underline', p(`<a href="https://octavo.test/" style="text-decoration:none;">${span('here', 'font-weight:400;text-decoration:underline;-webkit-text-decoration-skip:none;text-decoration-skip-ink:none')}</a>`), '[here](https://octavo.test/)'],
      ['headings', `<h1 dir="ltr" style="line-height:1.38;">${span('Top')}</h1><h2 dir="ltr">${span('Below')}</h2>`, '## Top\n\n### Below'],
      ['headings without one of the first level', `<h2 dir="ltr">${span('Part')}</h2><h3 dir="ltr">${span('Detail')}</h3>`, '## Part\n\n### Detail'],
      ['nested lists, whose inner list is beside its item', ul(li(span('a')) + ul(li(span('b'), 2) + ul(li(span('c'), 3))) + li(span('d'))), '- a\n  - b\n    - c\n- d'],
      ['a checklist', ul(li(span('done'), 1, ' role="checkbox" aria-checked="true"').replace('<p ', '<img src="data:image/png;base64,iVBORw0KGgo=" width="17.6px" alt="checked" aria-roledescription="checkbox"><p ') + li(span('open'), 1, ' role="checkbox" aria-checked="false"').replace('<p ', '<img src="data:image/png;base64,iVBORw0KGgo=" alt="unchecked"><p ')), '- [x] done\n- [ ] open'],
      ['a table', `<div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="312" /><col width="312" /></colgroup><tbody><tr style="height:0pt"><td style="vertical-align:top;">${p(span('A'))}</td><td>${p(span('B'))}</td></tr><tr><td>${p(span('1'))}</td><td>${p(span('2'))}</td></tr></tbody></table></div>`, '<table data-header-hidden>\n<thead><tr><th></th><th></th></tr></thead>\n<tbody>\n<tr><td>A</td><td>B</td></tr>\n<tr><td>1</td><td>2</td></tr>\n</tbody>\n</table>'],
    ],
    wrap,
  ) // prettier-ignore
})

describe('spreadsheets', () => {
  it('Google Sheets: the first row has the titles', () => {
    const cell = (value: string, data: string) =>
      `<td style="border:1px solid #cccccc;overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;" data-sheets-value="${data}">${value}</td>`
    const html = `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" style="table-layout:fixed;font-size:10pt" data-sheets-root="1" data-sheets-baot="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;">${cell('Name', '{&quot;1&quot;:2,&quot;2&quot;:&quot;Name&quot;}')}${cell('Pipe | bar', '')}</tr><tr>${cell('ann', '')}${cell('3', '{&quot;1&quot;:3,&quot;3&quot;:3}')}</tr></tbody></table>`
    expect(markdownOf(html)).toBe('| Name | Pipe \\| bar |\n| --- | --- |\n| ann | 3 |')
  })

  it('Excel: empty cells stay', () => {
    const html = `<html xmlns:v="urn:schemas-microsoft-com:vml"\r\nxmlns:x="urn:schemas-microsoft-com:office:excel"\r\nxmlns="http://www.w3.org/TR/REC-html40">\r\n<head>\r\n<meta name=ProgId content=Excel.Sheet>\r\n<style>\r\n<!--table\r\n\t{mso-displayed-decimal-separator:"\\.";}\r\n.xl65\r\n\t{font-weight:700;}\r\n-->\r\n</style>\r\n</head>\r\n\r\n<body link="#0563C1" vlink="#954F72">\r\n\r\n<table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:\r\n collapse;width:96pt'>\r\n<!--StartFragment-->\r\n <col width=64 span=2 style='width:48pt'>\r\n <tr height=20 style='height:15.0pt'>\r\n  <td height=20 class=xl65 width=64 style='height:15.0pt;width:48pt'>Port</td>\r\n  <td class=xl65 width=64>Use</td>\r\n </tr>\r\n <tr height=20>\r\n  <td height=20 align=right style='height:15.0pt'>443</td>\r\n  <td></td>\r\n </tr>\r\n<!--EndFragment-->\r\n</table>\r\n\r\n</body>\r\n\r\n</html>`
    expect(markdownOf(html)).toBe('| Port | Use |\n| --- | --- |\n| 443 |   |')
  })
})

describe('Notion', () => {
  const wrap = (body: string) =>
    `<meta charset='utf-8'><!-- notionvc: 0c0a7a66-7a2f-4f53-9f54-3a4d1f4d9c11 -->${body}`
  expectAll(
    [
      ['headings, lists and code', '<h2>Part</h2>\n<ul>\n<li>One\n<ul>\n<li>Two</li>\n</ul>\n</li>\n</ul>\n<pre><code class="language-typescript">const a = 1\n\nconst b = 2\n</code></pre>', '## Part\n\n- One\n  - Two\n\n```typescript\nconst a = 1\n\nconst b = 2\n```'],
      ['to-dos', '<ul>\n<li>[x] Done</li>\n<li>[ ] Open <strong>one</strong></li>\n</ul>', '- [x] Done\n- [ ] Open **one**'],
      ['a callout', '<aside>\n💡 Mind this.\n\n</aside>', '{% hint style="info" %}\n💡 Mind this.\n{% endhint %}'],
      ['a toggle', '<details>\n<summary>More</summary>\n\n<p>Inside</p>\n</details>', '<details>\n\n<summary>More</summary>\n\nInside\n\n</details>'],
    ],
    wrap,
  ) // prettier-ignore
})

describe('GitHub', () => {
  const wrap = (body: string) => `<meta charset='utf-8'>${body}<br class="Apple-interchange-newline">`
  expectAll(
    [
      ['a heading without its permalink', '<div class="markdown-heading" dir="auto"><h2 tabindex="-1" class="heading-element" dir="auto" id="usage">Usage</h2><a id="user-content-usage" class="anchor" aria-label="Permalink: Usage" href="#usage"><svg class="octicon octicon-link" viewBox="0 0 16 16" aria-hidden="true"><path d="m7.775 3.275"></path></svg></a></div>', '## Usage'],
      ['highlighted code', '<div class="highlight highlight-source-js notranslate position-relative overflow-auto" dir="auto"><pre class="notranslate"><span class="pl-k">const</span> <span class="pl-s1">a</span> <span class="pl-c1">=</span> <span class="pl-c1">1</span>\n<span class="pl-en">go</span><span class="pl-kos">(</span><span class="pl-kos">)</span></pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" class="ClipboardButton btn" value="const a = 1"><svg aria-hidden="true" class="octicon octicon-copy"></svg></clipboard-copy></div></div>', '```js\nconst a = 1\ngo()\n```'],
      ['tasks', '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled checked> Done</li><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled> Open <g-emoji class="g-emoji" alias="rocket">🚀</g-emoji></li></ul>', '- [x] Done\n- [ ] Open 🚀'],
      ['an alert', '<div class="markdown-alert markdown-alert-warning" dir="auto"><p class="markdown-alert-title" dir="auto"><svg class="octicon" aria-hidden="true"></svg>Warning</p><p dir="auto">Hot.</p></div>', '{% hint style="warning" %}\nHot.\n{% endhint %}'],
      ['part of a line', '<span style="color: rgb(31, 35, 40); font-family: -apple-system;">some<span class="Apple-converted-space">&nbsp;</span></span><code style="font-family: ui-monospace;">code</code>', 'some `code`'],
    ],
    wrap,
  ) // prettier-ignore
})

describe('VS Code', () => {
  const wrap = (lines: string) =>
    `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: Consolas, 'Courier New', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;">${lines}</div>`
  const line = (text: string) => `<div><span style="color: #569cd6;">${text}</span></div>`
  expectAll(
    [
      ['lines with indentation and a blank one', line('function go() {') + line('&#160; return &lt;1&gt;') + '<br>' + line('}'), '```\nfunction go() {\n  return <1>\n\n}\n```'],
      ['one line', line('const a = 1'), '`const a = 1`'],
    ],
    wrap,
  ) // prettier-ignore
})

describe('any program', () => {
  it('nothing runs, and images without an address of the web are reported', () => {
    const { markdown, droppedImages } = paste(
      `<style>p{color:red}</style><script>alert(1)</script><p onclick="alert(2)">Text <a href="javascript:alert(3)">link</a></p><img src="data:image/png;base64,iVBORw0KGgo=" alt="a"><img src="cid:image001.png@01D9"><img src="blob:https://app.test/1-2"><img src="https://octavo.test/a.png" alt="kept">`,
    )
    expect(markdown).toBe('Text link\n\n![kept](https://octavo.test/a.png)\n')
    expect(droppedImages).toEqual([
      { scheme: 'data', contentType: 'image/png' },
      { scheme: 'cid', name: 'image001.png@01D9' },
      { scheme: 'blob', name: '1-2' },
    ])
  })

  it('all of it is content, also what surrounds the content of a page', () => {
    const html =
      '<main><p>Long enough to be the main content of a page, surely.</p></main><article><h1>Second</h1><p>b</p></article>'
    expect(markdownOf(html)).toBe('Long enough to be the main content of a page, surely.\n\n## Second\n\nb')
  })

  it.each([
    '',
    '<meta charset="utf-8">',
    '   ',
    '<br>',
    '<b style="font-weight:normal;" id="docs-internal-guid-1"></b>',
  ])('nothing is nothing: %j', (html) => expect(paste(html).markdown.trim()).toBe(''))

  test('deep and long markup is bounded, and reported', () => {
    for (const html of [
      '<div>'.repeat(1_000) + 'deep',
      '<ul><li>'.repeat(500) + 'deep',
      `<b>${'<p>x</b><b>'.repeat(300)}`,
      `<p class=MsoListParagraph style='mso-list:l0 level9 lfo1'>x</p>`.repeat(300),
    ]) {
      const { markdown } = paste(html)
      expect(markdown.length).toBeLessThan(10 * html.length)
      expect(markdown).toMatch(/deep|x/)
    }
  })
})
