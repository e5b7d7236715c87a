/** Regenerates the table of `docs/errors.md` from the catalogue; the text around it stays. */
import { readFileSync, writeFileSync } from 'node:fs'
import { errorCatalogue } from '../src/contract/errors.js'

const path = new URL('../docs/errors.md', import.meta.url)
const rows = Object.entries(errorCatalogue).map(
  ([name, { status, message }]) => `| \`${name}\` | ${status} | ${message} |`,
)
const table = ['| name | status | sentence |', '| --- | --- | --- |', ...rows].join('\n')
const page = readFileSync(path, 'utf8')
writeFileSync(path, page.replace(/\| name \| status[^]*?(?=\n\n|\n?$)/, table))
