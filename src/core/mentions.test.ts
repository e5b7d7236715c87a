import { expect, test } from 'vitest'
import { findMentions, findNewMentions, maxMentions } from './mentions.js'

test.each<[string, readonly string[]]>([
  ['Ask [@Ann](/users/ann "mention").', ['ann']],
  ['[@Ann](https://docs.test/v1/users/ann) and **[@Bob](/users/b-2)**, [@Ann](/users/ann)', ['ann', 'b-2']],
  ['> * quoted [@Ann](/users/ann)', ['ann']],
  ['[them](https://elsewhere.test/users/ann)', []],
  ['`[@Ann](/users/ann)` /users/ann', []],
  ['[@Ann](/users/ann/settings) [x](/users/)', []],
  ['', []],
])('%j mentions %j', (text, users) => {
  expect(findMentions(text)).toEqual(users)
})

test('an edit mentions those who are newly named, and a text no more than its limit', () => {
  const text = (...names: string[]) => names.map((name) => `[@x](/users/${name})`).join(' ')
  expect(findNewMentions(text('a', 'b'), text('b', 'c'))).toEqual(['c'])
  const many = Array.from({ length: maxMentions + 5 }, (_, at) => `u${at}`)
  expect(findMentions(text(...many))).toEqual(many.slice(0, maxMentions))
})
