/**
 * What programs put into the clipboard: the shape of their markup, with words of our own, and pieces of the Markdown that it
 * becomes in a page.
 */
interface ClipboardSample {
  /** The program. */
  readonly from: string
  readonly types: Readonly<Record<string, string>>
  readonly hasPicture?: boolean
  readonly markdown: readonly string[]
}

const word = (body: string) => `<html xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=Generator content="Microsoft Word 15">
<style><!-- p.MsoNormal {margin:0cm; font-size:11.0pt;} @list l0:level1 {mso-level-number-format:bullet;} --></style></head>
<body lang=EN-US style='word-wrap:break-word'><!--StartFragment-->${body}<!--EndFragment--></body></html>`

const listItem = (level: number, words: string) =>
  `<p class=MsoListParagraphCxSpFirst style='margin-left:${36 * level}.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`

export const clipboardSamples: readonly ClipboardSample[] = [
  {
    from: 'a web page',
    types: {
      'text/html':
        '<meta charset="utf-8"><h2 style="color: rgb(0, 0, 0); font-family: Arial;">Install</h2><p>Run <code>make</code>, then <a href="https://example.com/next"><strong>go on</strong></a>.</p><ul><li>first</li><li>second<ol><li>inner</li></ol></li></ul><script>alert(1)</script>',
      'text/plain': 'Install Run make, then go on.',
    },
    markdown: ['## Install\n', 'Run `make`, then [**go on**](https://example.com/next).', '- second\n'],
  },
  {
    from: 'Word',
    types: {
      'text/html': word(
        `<p class=MsoNormal><b><span style='font-size:12.0pt'>Bold</span></b> and <i>italic</i><o:p></o:p></p>${listItem(1, 'one')}${listItem(2, 'nested')}${listItem(1, 'two')}<table class=MsoTableGrid border=1><tr><td width=301><p class=MsoNormal>A<o:p></o:p></p></td><td><p class=MsoNormal>B<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>1<o:p></o:p></p></td><td><p class=MsoNormal>2<o:p></o:p></p></td></tr></table>`,
      ),
      'text/plain': 'Bold and italic',
    },
    markdown: ['**Bold** and ', '- one\n', 'nested', '- two\n', '<td>1</td>'],
  },
  {
    from: 'Google Docs',
    types: {
      'text/html':
        '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1b2c3d4e-7fff-0000-1111-222233334444"><h2 dir="ltr" style="line-height:1.38;"><span style="font-size:16pt;font-family:Arial;font-weight:400;">Plan</span></h2><p dir="ltr"><span style="font-weight:700;">Bold</span><span style="font-weight:400;"> plain </span><span style="font-style:italic;">italic</span></p><ul><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span>point</span></p></li></ul></b>',
      'text/plain': 'Plan',
    },
    markdown: ['## Plan\n', '**Bold** plain ', '- point\n'],
  },
  {
    from: 'a spreadsheet, which has a picture too',
    hasPicture: true,
    types: {
      'text/html':
        '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=ProgId content=Excel.Sheet></head><body><table border=0 cellpadding=0 cellspacing=0 width=128><!--StartFragment--><tr height=20><td class=xl65>Name</td><td class=xl65>Count</td></tr><tr height=20><td>Apples</td><td align=right x:num>12</td></tr><!--EndFragment--></table></body></html>',
      'text/plain': 'Name\tCount\nApples\t12',
    },
    markdown: ['Name', 'Apples', '12', '|'],
  },
  {
    from: 'an editor of Markdown',
    types: {
      'text/plain':
        '# Title\n\nSome **bold** and a [link](https://example.com).\n\n{% hint style="info" %}\nA hint.\n{% endhint %}\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
    },
    markdown: [
      '## Title\n',
      'Some **bold** and a [link](https://example.com).',
      '{% hint style="info" %}\nA hint.\n{% endhint %}',
      '| 1 ',
    ],
  },
  {
    from: 'a plain text',
    types: { 'text/plain': 'First line\nsecond line\n\nNext paragraph with <tags> and 2 * 3 * 4' },
    markdown: ['First line\\\nsecond line\n\nNext paragraph with '],
  },
]
