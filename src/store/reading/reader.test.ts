import { expect, it } from 'vitest'
import { createInlineReader } from './reader.js'

const reader = createInlineReader()
const bytesOf = (text: string, encoding: BufferEncoding): Uint8Array => Buffer.from(text, encoding)

it('pages are decoded by their byte-order mark, content type or own declaration', async () => {
  const page = '<p>gr\u00f6\u00dfer</p>'
  const read = async (bytes: Uint8Array, contentType?: string) =>
    (await reader.convert(bytes, contentType === undefined ? {} : { contentType })).markdown
  expect(await read(bytesOf(page, 'utf8'))).toBe('größer\n')
  expect(await read(bytesOf(page, 'latin1'), 'text/html; charset=ISO-8859-1')).toBe('größer\n')
  expect(await read(bytesOf(`<meta charset="windows-1252">${page}`, 'latin1'))).toBe('größer\n')
  expect(await read(bytesOf(`\ufeff${page}`, 'utf16le'))).toBe('größer\n')
  expect(await read(bytesOf(`<meta charset="no-such">${page}`, 'utf8'), 'text/html; charset=utf8')).toBe(
    'größer\n',
  )
})

it('links are resolved against the address of the page, and then redirected to imported pages', async () => {
  const { markdown } = await reader.convert(
    '<p><a href="b#c">d</a> <a href="mailto:a@b.c">e</a><a href="http://[">f</a></p>',
    {
      address: 'https://a.example/x/y',
    },
  )
  expect(markdown).toBe('[d](https://a.example/x/b#c) [e](mailto:a@b.c)f\n')
  const led = await reader.redirect(markdown, new Map([['https://a.example/x/b', 'b.md']]))
  expect(led).toBe('[d](b.md#c) [e](mailto:a@b.c)f\n')
})
