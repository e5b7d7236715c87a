import { describe, expect, it } from 'vitest'
import { parsePage } from './parse.js'
import { chooseFiller } from './source.js'

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index)).join('')
const controls = range(0x0e, 0x1f)

describe('the filler of masks', () => {
  it('is a character that the text does not contain, one byte if possible', () => {
    expect(chooseFiller('one — two')).toBe('\u000e')
    expect(chooseFiller('one\u000etwo')).toBe('\u000f')
    expect(chooseFiller(controls)).toBe('\ue000')
    expect(chooseFiller(`${controls}\ue000`)).toBe('\ue001')
  })

  it.each([
    ['nothing', ''],
    ['a control', '\u000e'],
    ['every control', controls],
  ])('ends HTML before a tag, in a text with %s', (_, source) => {
    const text = `${source} first\n\n<div>\n{% hint %}\n~~~js\none\n\ntwo\n~~~\n{% endhint %}\n`
    const hint = parsePage(text).document.blocks.find((block) => block.type === 'hint')
    expect(hint?.blocks).toMatchObject([{ type: 'code', code: 'one\n\ntwo' }])
  })
})
