import { expect, it } from 'vitest'
import { parsePage } from '../markdown/parse.js'
import { convertHtml } from './convert.js'

const bodyOf = (html: string): string => convertHtml(`<main>${html}</main>`).markdown.trim()

const cases: readonly [name: string, html: string, markdown: string][] = [
  ['whitespace', '<p>\n  a <b>b </b>c\n\n d</p>', 'a **b** c d'],
  ['marks beside letters', '<p>x<b>y</b>z, un<b>“a”</b>b</p>', 'x**y**z, un<strong>“a”</strong>b'],
  ['adjacent marks', '<p><b>a</b><i>b</i></p>', '<strong>a</strong>*b*'],
  ['nested marks', '<p><b>a <i>b</i></b></p>', '<strong>a *b*</strong>'],
  ['other marks', '<p><u>a</u> <kbd>b</kbd> <sup>c</sup> <s>d</s> <code>e`f</code></p>', '<u>a</u> <kbd>b</kbd> <sup>c</sup> ~~d~~ ``e`f``'],
  ['special characters', '<p>* a_b_c _d_ [e] &lt;f&gt; 2*3 &amp;amp; {% hint %} $$</p>', '\\* a_b_c \\_d\\_ \\[e\\] \\<f> 2\\*3 \\&amp; &#123;% hint %} \\$\\$'],
  ['starts of lines', '<p># a</p><p>1. b</p><p>- c</p><p>&gt; d</p>', '\\# a\n\n1\\. b\n\n\\- c\n\n\\> d'],
  ['breaks', '<p>a<br>b<br></p>', 'a\\\nb'],
  ['addresses', '<p>see https://a.b/c_d*e. End</p>', 'see <https://a.b/c_d*e>. End'],
  ['links', '<p><a href="a b.html"> x </a>y <a href="javascript:alert(1)">z</a> <a name=q></a></p>', '[x](a&#32;b.html) y z'],
  ['link in bold', '<p><b>a <a href=b>c</a> d</b></p>', '**a** [**c**](b) **d**'],
  ['lists', '<ul><li>a<ul><li>b</ul><li>c</ul><ol start=3><li>d<li>e</ol>', '- a\n  - b\n- c\n\n3. d\n4. e'],
  ['loose lists', '<ul><li><p>a</p><p>b</p></li><li>c</li></ul><ul><li>d</ul>', '- a\n\n  b\n\n- c\n\n+ d'],
  ['tasks', '<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label></ul>', '- [x] a\n- [ ] b'],
  ['definition lists', '<dl><dt>a<dt>b<dd><p>c</p><dd>d</dl>', '- **a**\\\n  **b**\n\n  c\n\n  d'],
  ['definition lists of one term each', '<dl><dt>a<dd>b</dl>\n<dl><dt>c<dd>d</dl>', '- **a**\n\n  b\n\n- **c**\n\n  d'],
  ['quotes', '<blockquote><p>a</p><ul><li>b</ul></blockquote>', '> a\n>\n> - b'],
  ['heading levels', '<h1>t</h1><h2>a</h2><h3>b</h3><h6>c</h6>', '# t\n\n## a\n\n### b\n\n#### c'],
  ['heading levels starting low', '<h1>t</h1><h3>a</h3><h4>b</h4>', '# t\n\n## a\n\n### b'],
  ['ids of headings', '<h1>t</h1><h2 id=sec-2>a</h2><h2 id=b>b</h2><p><a href="#sec-2">c</a></p>', '# t\n\n## a <a href="#sec-2" id="sec-2"></a>\n\n## b\n\n[c](#sec-2)'],
  ['ids of other elements', '<h1>t</h1><h2 id=x>x</h2><p id=y>z <a href="#y">y</a></p>', '# t\n\n## x\n\nz [y](#x)'],
  ['code', '<pre><code class="language-js">a\n\n  b\n</code></pre>', '```js\na\n\n  b\n```'],
  ['code of a generator', '<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span><span class="k">def</span> a</pre></div></div>', '```python3\ndef a\n```'],
  ['code with numbers', '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>', '```\na\nb\n```'],
  ['code with a caption', '<div class="literal-block-wrapper"><div class="code-block-caption">a.py</div><pre class="lang-py">a</pre></div>', '{% code title="a.py" %}\n```py\na\n```\n{% endcode %}'],
  ['admonitions of Sphinx', '<div class="admonition warning"><p class="admonition-title">Warning</p><p>a</p></div>', '{% hint style="warning" %}\na\n{% endhint %}'],
  ['admonitions of others', '<div class="theme-admonition theme-admonition-tip alert alert--success"><div class="admonitionHeading_x1">My tip</div><div><p>a</p></div></div>', '{% hint style="success" %}\n**My tip**\n\na\n{% endhint %}'],
  ['admonitions of Asciidoctor', '<div class="admonitionblock caution"><table><tr><td class="icon">!</td><td class="content">a</td></tr></table></div>', '{% hint style="warning" %}\na\n{% endhint %}'],
  ['tables', '<table><thead><tr><th>a|b<th align=right>c</thead><tr><td><code>d|e</code><td align=right>2</table>', '| a\\|b | c |\n| --- | ---: |\n| `d\\|e` | 2 |'],
  ['tables with an alignment', '<table><tr><th style="text-align:center">a<tr><td style="text-align: center">b</table>', '| a |\n| :---: |\n| b |'],
  ['rich tables', '<table><tr><th>a<tr><td><p>b</p><ul><li>c</ul></table>', '<table>\n<thead><tr><th>a</th></tr></thead>\n<tbody>\n<tr><td><p>b</p><ul><li>c</li></ul></td></tr>\n</tbody>\n</table>'],
  ['lists of Google', '<ul class="lst-kix_a-0 start"><li>a</ul><ul class="lst-kix_a-1"><li>b</ul><ul class="lst-kix_a-2"><li>c</ul><ul class="lst-kix_a-0"><li>d</ul><p>e</p><ol class="lst-kix_a-0"><li>f</ol>', '- a\n  - b\n    - c\n- d\n\ne\n\n1. f'],
  ['links of Google', '<p><a href="https://www.google.com/url?q=https://a.b/c%3Fd%3De&amp;sa=D">f</a></p>', '[f](https://a.b/c?d=e)'],
  ['tables with a head in bold', '<table><tr><td><p><strong>a</strong></p><td><b>b</b><tr><td>c<td>d</table>', '| **a** | **b** |\n| --- | --- |\n| c | d |'],
  ['tables without a head', '<table><tr><td>a<td>b<tr><td>c</table>', '<table data-header-hidden>\n<thead><tr><th></th><th></th></tr></thead>\n<tbody>\n<tr><td>a</td><td>b</td></tr>\n<tr><td>c</td></tr>\n</tbody>\n</table>'],
  ['figures', '<figure><img src="a.png" alt="b"><figcaption>c <b>d</b></figcaption></figure>', '<figure><img src="a.png" alt="b"><figcaption><p>c <strong>d</strong></p></figcaption></figure>'],
  ['images', '<p><img src="a.png" alt="b_c"></p><p>x <img src=d.png> y</p>', '![b_c](a.png)\n\nx ![](d.png) y'],
  ['details', '<details><summary>a <b>b</b></summary><p>c</p></details>', '<details>\n\n<summary>a <strong>b</strong></summary>\n\nc\n\n</details>'],
  ['tabs', '<div class="tabs-container"><ul role="tablist"><li role="tab">A</li><li role="tab">B</li></ul><div><div role="tabpanel">a</div><div role="tabpanel" hidden><pre>b</pre></div></div></div>', '{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n{% tab title="B" %}\n```\nb\n```\n{% endtab %}\n{% endtabs %}'],
  ['tabs of labels', '<div class="tabbed-set"><input><div class="tabbed-labels"><label>A</label></div><div class="tabbed-content"><div class="tabbed-block"><p>a</p></div></div></div>', '{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n{% endtabs %}'],
  ['formulas', '<p>a <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span></p>', 'a $$x^2$$'],
  ['formulas without TeX source', '<math display="block"><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac><mo>≤</mo><msqrt><mn>3</mn></msqrt></math>', '$$\n\\frac{a}{b^{2}}\\leq \\sqrt{3}\n$$'],
  ['formulas in scripts', '<p>a <span class="MathJax_Preview">?</span><script type="math/tex">y</script></p>', 'a $$y$$'],
  ['footnotes', '<p>a<sup><a href="#fn1" id="r1">1</a></sup> b</p><hr><section class="footnotes"><ol><li id="fn1"><p>c <a href="#r1">↩</a></p></li></ol></section>', 'a[^1] b\n\n[^1]: c'],
  ['embeds', '<iframe src="//www.youtube.com/embed/dQw4w9WgXcQ"></iframe>', '{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}'],
  ['boilerplate', '<nav>a</nav><script>b</script><h2>c<a class="headerlink" href="#c">¶</a></h2><button>d</button><p hidden>e</p><p>f</p>', '# c\n\nf'],
  ['dividers', '<p>a</p><hr><p>b</p>', 'a\n\n***\n\nb'],
] // prettier-ignore

it.each(cases)('%s', (_name, html, markdown) => {
  expect(bodyOf(html)).toBe(markdown)
})

it('the Markdown is parsed back without problems', () => {
  for (const [name, html] of cases) {
    const { document, problems } = parsePage(convertHtml(`<main>${html}</main>`).markdown)
    expect([name, problems]).toEqual([name, []])
    expect(document.blocks.length, name).toBeGreaterThan(0)
  }
})

it('reads title, language, canonical URL, robots and navigation of a page', () => {
  const page = convertHtml(
    '<html lang="de-AT"><head><title>Anfang | Handbuch</title><link rel="canonical" href="/a"><meta name="robots" content="NoIndex, follow">' +
      '<base href="/b/"></head><body><nav><ul><li><a href="one">One</a><ul><li><a href="two#x">Two</a></ul><li><a href="/three">Three</a></ul></nav>' +
      '<main><p>x <a href="one#y">y</a> <img src="i.png"></p></main></body></html>',
    { resolve: (url, base) => new URL(url, new URL(base ?? '', 'https://a.example/c')).href },
  )
  expect(page).toMatchObject({
    title: 'Anfang',
    language: 'de-AT',
    canonical: 'https://a.example/a',
    robots: ['noindex', 'follow'],
    links: ['https://a.example/b/one', 'https://a.example/b/two', 'https://a.example/three'],
    navigation: [
      {
        title: 'One',
        url: 'https://a.example/b/one',
        children: [{ title: 'Two', url: 'https://a.example/b/two#x' }],
      },
      { title: 'Three' },
    ],
    lost: [],
  })
  expect(page.markdown).toBe('# Anfang\n\nx [y](https://a.example/b/one#y) ![](https://a.example/b/i.png)\n')
})

it('maps anchors to their new names', () => {
  const page = convertHtml(
    '<main><section id="top"><h1>Title</h1><p id="lead">x</p>' +
      '<section id="using"><span id="label"></span><h2>2. Using <a id="inner"></a>it</h2><p><a id="word"></a>y</p>' +
      '<div id="note"><p>z</p></div></section><a name="next"></a><h2>Plain</h2><table id="data"><tr><td>1</table></section></main>',
  )
  const { document } = parsePage(page.markdown)
  expect(document.blocks.flatMap((block) => (block.type === 'heading' ? [block.anchor] : []))).toEqual([
    'inner',
    'plain',
  ])
  expect(page.parts).toEqual([
    ['top', ''],
    ['lead', ''],
    ['using', 'inner'],
    ['label', 'inner'],
    ['word', 'inner'],
    ['note', 'inner'],
    ['next', 'plain'],
    ['data', 'plain'],
  ])
  const labelled =
    '<main><h1>T</h1><section id="using"><span id="label"></span><h2>2. Using</h2></section></main>'
  expect(convertHtml(labelled).markdown).toContain('id="using"')
  const linked = convertHtml(
    labelled.replace('</h1>', '</h1><p><a href="#label">see</a> <a href="#gone">gone</a></p>'),
  )
  expect(linked.markdown).toContain('[see](#using) [gone](#gone)')
})

it('merges several tables of contents, each titled by the heading above it', () => {
  const entry = (name: string) => `<li><a href="${name}.html">${name}</a></li>`
  const contents = (...names: string[]) =>
    `<div class="toctree-wrapper compound"><ul>${names.map(entry).join('')}</ul></div>`
  const captioned = contents('g').replace('<ul>', '<p class="caption">More</p><ul>')
  const navigationOf = (body: string) => convertHtml(`<main><h1>Manual</h1>${body}</main>`).navigation
  const page = (title: string) => ({ title, url: `${title}.html`, children: [] })
  expect(
    navigationOf(
      `${contents('a')}<section><h2>Guide<a class="headerlink" href="#guide">¶</a></h2>${contents('b', 'c')}<p>and</p>${contents('d')}</section>` +
        `<section><h2>Reference</h2>${contents('e', 'f')}${captioned}</section>`,
    ),
  ).toEqual([
    page('a'),
    { title: 'Guide', children: ['b', 'c', 'd'].map(page) },
    { title: 'Reference', children: ['e', 'f'].map(page) },
    { title: 'More', children: [page('g')] },
  ])
  expect(navigationOf(`<h2>Contents</h2>${contents('a', 'b', 'c')}`)).toEqual(['a', 'b', 'c'].map(page))
})

it('reports what cannot be converted', () => {
  const { lost, embedded, markdown } = convertHtml(
    '<main><p><a href="javascript:a()">a</a><a href="JAVA\nSCRIPT:a()">a</a><img src="data:image/png;base64,iVBORw0K"><img src="data:text/html,x"></p>' +
      '<table><tr><th colspan=2>a</th></tr><tr><td>b<td>c</table><svg><script>alert(1)</script></svg><object data="x">y</object></main>',
  )
  expect(lost).toEqual([
    'links that run or that only their machine knows (javascript:) (2 times)',
    'pictures and files written into the page (data:)',
    'cells over several rows or columns, which were split',
    'drawings in the page itself (svg)',
    'elements <object>',
  ])
  expect(embedded).toEqual([
    { name: 'image-1.png', bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]) },
  ])
  expect(markdown).toContain('![](embedded:image-1.png)')
  expect(markdown).not.toContain('alert')
})

it('reduces oversized pages to plain text', () => {
  const deep = convertHtml(`<title>t</title><p>a &amp; b</p>${'<div>'.repeat(1000)}c<script>d</script>`)
  expect(deep).toMatchObject({ title: 't', markdown: '# t\n\na & b\n\nc\n' })
  expect(deep.lost).toEqual(['everything but the words: the page is too large or too deep'])
  const large = convertHtml(`<title>t</title>${'<div>'.repeat(1000)}${'a'.repeat(5_000_000)}end`)
  expect(large.lost[0]).toContain('its first 5 million characters')
  expect(large.markdown).not.toContain('end')
})

it('pager links are no menu, and give the breadcrumbs', () => {
  const sphinx =
    '<div class="related" role="navigation"><h3>Navigation</h3><ul><li><a href="genindex.html" accesskey="I">index</a></li><li><a href="b.html" accesskey="N">next</a></li><li><a href="a.html" accesskey="P">previous</a></li>' +
    '<li class="nav-item nav-item-0"><a href="index.html">Docs</a> »</li><li class="nav-item nav-item-1"><a href="up.html" accesskey="U">Up</a> »</li><li class="nav-item nav-item-this"><a href="">Here</a></li></ul></div>' +
    '<div class="sphinxsidebar"><h3>Navigation</h3><ul><li><a href="index.html">Overview</a><ul><li>Previous: <a href="a.html" title="previous chapter">A</a></li><li>Next: <a href="b.html" title="next chapter">B</a></li></ul></li></ul></div><main><h1>Here</h1></main>'
  const { navigation, trail } = convertHtml(sphinx)
  expect(navigation).toEqual([])
  expect(trail).toEqual([
    { title: 'Docs', url: 'index.html' },
    { title: 'Up', url: 'up.html' },
  ])
  const data = (text: string) => convertHtml(`<script type="application/ld+json">${text}</script><h1>A</h1>`)
  const list =
    '{"@type":"BreadcrumbList","itemListElement":[{"position":2,"name":"B","item":"/b"},null,7,{"position":1,"name":["x"],"item":{"@id":"/a","name":"A"}}]}'
  const expectedTrail = [
    { title: 'A', url: '/a' },
    { title: 'B', url: '/b' },
  ]
  expect(data(list).trail).toEqual(expectedTrail)
  expect(data(`{"@type":"WebPage","breadcrumb":${list}}`).trail).toEqual(expectedTrail)
  for (const odd of [
    list.slice(1),
    `${'['.repeat(100_000)}"BreadcrumbList"`,
    '{"@type":"BreadcrumbList","itemListElement":{"0":1}}',
  ])
    expect(data(odd).trail).toEqual([])
})
