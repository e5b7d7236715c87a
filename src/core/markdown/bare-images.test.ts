/** Images without an alternative text, with their lines. */
import { expect, test } from 'vitest'
import { inspectPage } from './inspect-page.js'

test('images without an alternative text are listed with their lines, however they are written', () => {
  const text = `# Title

![](a.png)

![A cat](b.png) and ![](c.png) in a paragraph with [![](d.png)](other.md)

<figure><img src="a.png" alt="A"><figcaption></figcaption></figure>

<figure><img src="a.png"><figcaption><p>Caption</p></figcaption></figure>

<figure><img src="e.png" alt=""><figcaption></figcaption></figure>

* In a list: ![](f.png)

| A |
| - |
| ![](g.png) |
`
  expect(inspectPage(text).bareImages).toEqual([
    { url: 'a.png', line: 3 },
    { url: 'c.png', line: 5 },
    { url: 'd.png', line: 5 },
    { url: 'a.png', line: 9 },
    { url: 'e.png', line: 11 },
    { url: 'f.png', line: 13 },
    { url: 'g.png', line: 17 },
  ])
})

test('of a text with very many such images, the first hundred are listed', () => {
  expect(inspectPage('![](a.png)\n\n'.repeat(500)).bareImages).toHaveLength(100)
})
