/**
 * Random identifiers: 20 letters and digits, or a prefix and 8 for resources of a site. Not guessable; only ids of
 * files sort by creation time.
 */
import { randomFillSync } from 'node:crypto'
import type { FileId } from '../core/ids.js'

export const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns `length` random letters and digits; bytes that would favour some letters are discarded. */
export function randomLetters(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < 248) text += letters[byte % 62]
  }
  return text
}

/** Bytes from the system's generator, drawn in blocks: a call for each id takes longer than all else for it. */
const block = Buffer.alloc(4096)
let used = block.length

function randomByte(): number {
  if (used === block.length) {
    randomFillSync(block)
    used = 0
  }
  const byte = block[used]!
  // What an id is made of stays nowhere else.
  block[used++] = 0
  return byte
}

export function newId<Id extends string = string>(): Id {
  return randomLetters(20) as Id
}

let filesMade = 0

/** Ids of files begin with their creation time, because files are listed, and stored, in the order of their ids. */
export function newFileId(now: number): FileId {
  const made = filesMade++ % letters.length ** 3
  return (orderedLetters(now, 7) + orderedLetters(made, 3) + randomLetters(10)) as FileId
}

/** Returns the number as `length` letters that sort as the numbers do; leading digits beyond that are cut off. */
function orderedLetters(number: number, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest = Math.floor(rest / letters.length))
    text = letters[rest % letters.length]! + text
  return text
}

/** Ids of site resources are short by custom; with 8 letters, collisions stay unlikely in a large organization. */
export function newSiteId<Id extends string = string>(
  prefix: 'site' | 'sitesp' | 'sitesc' | 'sitescg' | 'siter' | 'sitesh',
): Id {
  return `${prefix}_${randomLetters(8)}` as Id
}
