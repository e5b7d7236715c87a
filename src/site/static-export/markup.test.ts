import { expect, test } from 'vitest'
import { findAddresses, findStyleAddresses, findTextAddresses, replaceAddresses } from './markup.js'

const hrefs = (markup: string) =>
  findAddresses(markup).map(({ element, attribute, href }) => `${element} ${attribute} ${href}`)

test('URLs are found only in tags, and decoded', () => {
  expect(
    hrefs(`<!doctype html><!-- <a href="/no"> --><head><link rel=x href="/a?b=1&amp;c=2"><script>'<a href="/no">'</script>
<meta content="/m"></head><p title='href="/no"'>text href="/no" &lt;a href="/no"></p><a class=x href='/q&#x26;&quot;'>a</a>
<form data-search="/s" action="/f"><img alt="a > b" src="/i.png" srcset="/i?w=1 480w, /i?w=2 960w"></form><br/><a href>x</a>`),
  ).toEqual([
    'link href /a?b=1&c=2',
    'meta content /m',
    'a href /q&"',
    'form data-search /s',
    'form action /f',
    'img src /i.png',
    'img srcset /i?w=1',
    'img srcset /i?w=2',
  ])
  expect(hrefs('<a href="/x')).toEqual([])
  expect(hrefs('<')).toEqual([])
})

test('URLs are replaced at their positions', () => {
  const markup = '<img src="/a" srcset="/a?w=1 480w,/b 2x"><p>/a</p>'
  expect(replaceAddresses(markup, findAddresses(markup), ({ href }) => `.${href}`)).toBe(
    '<img src="./a" srcset="./a?w=1 480w,./b 2x"><p>/a</p>',
  )
  const styles = `@font-face { src: url("/f.woff2") format("woff2"), url(data:x) }`
  expect(findStyleAddresses(styles).map(({ href }) => href)).toEqual(['/f.woff2', 'data:x'])
  const text = 'see [a](http://h/s/a.md), <http://h/s/b>; http://h/other'
  expect(findTextAddresses(text, 'http://h/s/').map(({ href }) => href)).toEqual([
    'http://h/s/a.md',
    'http://h/s/b',
  ])
})

test('a document of any kind is read to its end', () => {
  for (const one of [
    '<',
    '<a ',
    '<a href=',
    '<a href="',
    '<!--',
    '<a href="/x" ',
    'href="',
    '<script>',
    '</',
    '=>',
  ])
    expect(findAddresses(one.repeat(20_000)).length).toBeLessThanOrEqual(20_000)
  expect(hrefs('</ a><a href="/x">')).toEqual(['a href /x'])
})
