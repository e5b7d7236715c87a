/**
 * Stemming by language: `configuring` and `configuration` have one stem.
 *
 * Stems are compared within one language only, and never stored. They are computed by published
 * stemmers; a language without one, and a word of another script than its language, stays as it is.
 */
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'

type Stemmer = (word: string) => string

const stemmers: ReadonlyMap<string, Stemmer> = new Map([
  ['ar', arabic],
  ['bg', bulgarian],
  ['da', danish],
  ['de', german],
  ['el', greek],
  ['en', english],
  ['es', spanish],
  ['fi', finnish],
  ['fr', french],
  ['ga', irish],
  ['hu', hungarian],
  ['hy', armenian],
  ['id', indonesian],
  ['it', italian],
  ['lt', lithuanian],
  ['nb', norwegian],
  ['nl', dutch],
  ['nn', norwegian],
  ['no', norwegian],
  ['pt', portuguese],
  ['ro', romanian],
  ['ru', russian],
  ['sr', serbian],
  ['sv', swedish],
  ['ta', tamil],
  ['tr', turkish],
  ['uk', ukrainian],
])

/** Languages that are not written with Latin letters: their texts hold English names. */
const withoutLatin = new Set('ar be bg el fa he hi hy ja ka ko mk ru sr ta th uk ur zh'.split(' '))

/** Shorter words have no endings to lose, and longer ones are no words. */
const [shortest, longest] = [3, 40]

/** Returns the stemmer of a language such as `de` or `zh-tw`, for folded words; English where it is unknown. */
export function stemmerOf(language: string | null): Stemmer {
  const code = language?.split('-')[0] ?? 'en'
  const own = stemmers.get(code)
  const forLatin = withoutLatin.has(code) ? english : own
  return (word) => {
    if (word.length < shortest || word.length > longest || /\p{N}/u.test(word)) return word
    const stemmer = /^[a-z]/.test(word) ? forLatin : withoutLatin.has(code) ? own : undefined
    // The library gets arbitrary user text: whatever it returns, a stem is never empty.
    return stemmer?.(word) || word
  }
}
