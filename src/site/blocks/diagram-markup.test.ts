import { describe, expect, it } from 'vitest'
import { diagramMarkup } from './diagram-markup.js'

describe('diagramMarkup', () => {
  it.each([
    ['graph TD\n A[One] --> B{Two}'],
    ['flowchart LR\n A --> B\n subgraph S [One]\n C[Two]\n end'],
    ['sequenceDiagram\n One->>Two: asks\n Note over One,Two: a note'],
    ['classDiagram\n One <|-- Two\n One : +int age'],
    ['erDiagram\n One ||--o{ Two : has'],
    ['stateDiagram-v2\n [*] --> One\n One --> Two'],
    [
      '---\ntitle: T\n---\n%%{init: {}}%%\r\n%% note\r\ngraph TD\r\n A[One] --> B[Two]\r\n click A "https://example.com"\r\n',
    ],
  ])('draws %j', async (text) => {
    const drawing = await diagramMarkup(text)
    expect(drawing).toMatch(/^<svg viewBox="[\d .]+" width="[\d.]+" height="[\d.]+">[^]*One[^]*<\/svg>$/)
    expect(drawing).toMatch(/fill="var\(--_(?:text|node-fill)[a-z-]*\)"/)
    expect(drawing).not.toMatch(/click|note\r|title: T/)
  })

  it('writes labels without their quotes, in one line', async () => {
    const drawing = await diagramMarkup('graph TD\n A["One (f) [x]"] --> B[Two<br/>lines]')
    expect(drawing).toContain('>One (f) [x]<')
    expect(drawing).toContain('>Two lines<')
  })

  it.each([
    'pie\n "a": 1',
    'gantt\n title A',
    'graph TD\n A@{ shape: cyl }',
    'graphs',
    '',
    'graph',
    'xychart-beta\n bar [1, 2]',
  ])('returns no drawing for %j', async (text) => {
    expect(await diagramMarkup(text)).toBeUndefined()
  })

  it('contains only shapes, words and plain colours, whatever is in the text', async () => {
    const bad = `<img src=x onerror=alert(1)></text></svg><script>alert(1)</script>"' onload="alert(1)`
    const texts = [
      `graph TD\n A["${bad}"] -->|${bad}| B\n style A fill:url(https://evil.example/a),stroke:red;background:x\n linkStyle 0 stroke:url(javascript:alert(1))`,
      `graph TD\n A["&lt;script&gt;" onload=x] --> B["<foreignObject><iframe src=https://evil.example>"]\n classDef x fill:"/><script>alert(1)</script>\n class A x`,
      `sequenceDiagram\n participant A as ${bad}\n A->>B: ${bad}\n Note over A: ${bad}`,
      `classDiagram\n class A["${bad}"]\n A : ${bad}`,
      `erDiagram\n A ||--o{ B : "${bad}"\n A {\n string ${bad}\n }`,
      `stateDiagram-v2\n s1 : ${bad}\n [*] --> s1`,
    ]
    let drawn = 0
    for (const text of texts) {
      const drawing = await diagramMarkup(text)
      if (drawing === undefined) continue
      drawn++
      const tags = [...drawing.matchAll(/<\/?([a-zA-Z]+)/g)].map(([, name]) => name)
      expect(
        tags.filter(
          (name) =>
            !/^(?:svg|g|defs|marker|path|polygon|polyline|line|rect|circle|ellipse|text|tspan)$/.test(name!),
        ),
      ).toEqual([])
      const inTags = [...drawing.matchAll(/<[^>]*>/g)].join('')
      expect(inTags).not.toMatch(/ on[a-z]+=|href| style=|url\((?!#drawing:)|javascript:|evil\.|class=|data-/)
    }
    expect(drawn).toBe(texts.length)
  })

  it('gives its arrows ids that no other diagram or heading has', async () => {
    const [one, other] = [
      await diagramMarkup('graph TD\n A --> B'),
      await diagramMarkup('graph TD\n A --> C'),
    ]
    const ids = (drawing = '') => [...drawing.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
    expect(ids(one).every((id) => /^drawing:[\w-]{8}:[\w-]+$/.test(id))).toBe(true)
    expect(ids(one).filter((id) => ids(other).includes(id))).toEqual([])
    const used = /marker-end="url\(#([^)]*)\)"/.exec(one!)![1]
    expect(ids(one)).toContain(used)
  })

  it.each([
    ['#f9f', '#000'],
    ['#1a1a2e', '#fff'],
    ['url(x)', 'var(--_text)'],
  ])('writes on %s in %s', async (fill, words) => {
    const drawing = await diagramMarkup(`graph TD\n A[One] --> B\n style A fill:${fill},color:#123456`)
    expect(/<text[^>]*fill="([^"]*)"[^>]*>One/.exec(drawing!)?.[1]).toBe(words)
    expect(drawing!.match(/<rect(?![^>]* fill=)/g)).toBeNull()
  })
})
