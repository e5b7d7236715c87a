/**
 * `npx tsx dev/growth/main.ts [--all] [reader]`: measures the complexity of every parser on every kind of growing text, or
 * with `--all` on every combination of two, and prints what takes more than thrice the work for twice the size.
 */
import { everyCombination, everyKind } from './growing-texts.js'
import { findGrowth, scales } from './measure.js'
import { readers } from './parsers.js'

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const kinds = process.argv.includes('--all') ? everyCombination : everyKind
let tried = 0
let found = 0
for (const reader of Object.entries(readers)) {
  if (names.length > 0 && !names.includes(reader[0])) continue
  for (const kind of kinds()) {
    tried++
    const finding = findGrowth(kind, reader, scales.long)
    if (!finding) continue
    found++
    console.log(
      `${finding.reader}: ${finding.small.toFixed(1)} → ${finding.large.toFixed(1)} ms  ${finding.kind}`,
    )
  }
}
console.log(`${tried} tried, ${found} grow faster than they may`)
process.exitCode = found > 0 ? 1 : 0
