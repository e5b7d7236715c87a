import { describe, expect, it } from 'vitest'
import { attributes, escapeHtml, html, Html, join, nothing } from './html.js'

describe('html', () => {
  it.each([
    [
      'text is escaped',
      html`<p>${'<b> & "c" \'d\''}</p>`,
      '<p>&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;</p>',
    ],
    ['markup is not escaped twice', html`<p>${html`<b>${'<'}</b>`}</p>`, '<p><b>&lt;</b></p>'],
    ['arrays are joined', html`${['<', html`<i>`, [1, '>']]}`, '&lt;<i>1&gt;'],
    ['absent values print nothing', html`a${undefined}${null}${false}${nothing}b`, 'ab'],
    ['zero is printed', html`${0}`, '0'],
    ['fixed parts stay', join([html`<hr>`, '&']), '<hr>&amp;'],
    [
      'templates lose their indentation, values nothing',
      html`<pre>
        ${'a\n  b'}  </pre>`,
      '<pre>\na\n  b  </pre>',
    ],
  ])('%s', (_law, value, expected) => {
    expect(value.toString()).toBe(expected)
  })

  it('does not accept a plain object of the same shape as markup', () => {
    const forged = JSON.parse('{"markup":"<script>","toString":"x"}') as Html
    expect(html`${forged}`.toString()).toBe('')
  })

  it('escapes losslessly for a browser', () => {
    const text = '&amp;<script>"\'&#39;</script>'
    const read = escapeHtml(text).replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => {
      return { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }[name] as string
    })
    expect(read).toBe(text)
    expect(escapeHtml(text)).not.toMatch(/[<>"']/)
  })
})

describe('attributes', () => {
  it('prints, leaves out and escapes', () => {
    expect(
      attributes({
        id: 'a"b',
        open: true,
        hidden: false,
        alt: '',
        width: 3,
        title: undefined,
        rel: null,
      }).toString(),
    ).toBe(' id="a&quot;b" open alt="" width="3"')
  })
})
