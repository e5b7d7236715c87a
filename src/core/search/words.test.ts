import { describe, expect, test } from 'vitest'
import { foldText, queryTerms } from './words.js'

/** Whether an index with the words of `text` matches `query`. */
function finds(query: string, text: string): boolean {
  const words = foldText(text).split(' ')
  const { terms, prefixLast } = queryTerms(query)
  return (
    terms.length > 0 &&
    terms.every((term, index) =>
      words.some(
        (word) => word === term || (prefixLast && index === terms.length - 1 && word.startsWith(term)),
      ),
    )
  )
}

describe('a text is folded', () => {
  test.each([
    ['Hello, World!', 'hello world'],
    ['', ''],
    ['…!?', ''],
    ['Crème BRÛLÉE', 'creme brulee'],
    ['Straße Łódź Ærø', 'strasse lodz aero'],
    ['Ελλάς ΣΟΦΟΣ', 'ελλασ σοφοσ'],
    ['Ёлка Йод', 'елка иод'],
    ['ﬁle Ｗｉｄｅ １２', 'file wide 12'],
    ['pg_hba.conf', 'pg hba conf pghbaconf'],
    ['getUserById', 'getuserbyid get user by id'],
    ['HTMLParser', 'htmlparser html parser'],
    ['C# and C++', 'c and c csharp cplusplus'],
    ['v2.1', 'v2 1 v21'],
    ['数据库', '数 数据 据 据库 库'],
    ['第3章', '第 章 3'],
    ['한국어', '한 한국 국 국어 어'],
    ['co\u00adop zero\u200bwidth', 'coop zerowidth'],
  ])('%j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })
})

describe('a query finds', () => {
  test.each([
    ['resume', 'Your Résumé here'],
    ['RÉSUMÉ', 'your resume here'],
    ['pg_hba.conf', 'edit pg_hba.conf now'],
    ['hba.conf', 'edit pg_hba.conf now'],
    ['hba', 'edit pg_hba.conf now'],
    ['pghba', 'edit pg_hba.conf now'],
    ['getUserById', 'call getUserById()'],
    ['getuserbyid', 'call getUserById()'],
    ['getUser', 'call getUserById()'],
    ['user by', 'call getUserById()'],
    ['C#', 'written in C#.'],
    ['csharp', 'written in C#.'],
    ['c++', 'C++20 and C++'],
    ['v2.1', 'since v2.1'],
    ["don't", 'You don’t need it'],
    ['homme', "l'homme"],
    ['config', 'the configuration'],
    ['数据', '大数据库'],
    ['据库', '大数据库'],
    ['表 索引', '建表和索引'],
    ['データ', 'データベース'],
    ['ﾃﾞｰﾀ', 'データベース'],
    ['ภาษา', 'ภาษาไทย'],
    ['데이터베이스 설정', '데이터베이스를 설정하다'],
    ['हिन्दी', 'यह हिन्दी है'],
    ['user user', 'one user'],
  ])('%s in %s', (query, text) => {
    expect(finds(query, text)).toBe(true)
  })

  test.each([
    ['C#', 'the letter c'],
    ['v2.1', 'v2.0 of 1 thing'],
    ['con ', 'configuration'],
    ['据数', '数据库'],
    ['', 'anything'],
    ['!!', 'anything !!'],
    ['🚀', 'a 🚀'],
  ])('no %j in %j', (query, text) => {
    expect(finds(query, text)).toBe(false)
  })
})

test('every word of a text finds the text, and so does every beginning of its last word', () => {
  const random = generator(11)
  const alphabet = [...'abcXYZ019._-\'#+/:éßİıςΣЙ你好数データ한กั้हि\u0301’🚀()"']
  for (let round = 0; round < 4000; round++) {
    const text = Array.from({ length: 1 + random(5) }, () =>
      Array.from({ length: 1 + random(9) }, () => alphabet[random(alphabet.length)]).join(''),
    ).join(' ')
    for (const word of [...text.split(' '), text]) {
      if (queryTerms(word).terms.length === 0) continue
      expect([word, text, finds(word, text)]).toEqual([word, text, true])
    }
    expect(foldText(text)).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?: [\p{L}\p{N}\p{M}]+)*)?$/u)
  }
})

test('long words are cut alike in texts and queries', () => {
  for (const word of ['x'.repeat(300), '𝒳é'.repeat(100), `${'ab_'.repeat(60)}c`, 'aB'.repeat(60)]) {
    expect(finds(word, `before ${word} after`)).toBe(true)
  }
  expect(queryTerms(Array.from({ length: 500 }, (_, index) => index).join(' ')).terms).toHaveLength(32)
})

function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}
