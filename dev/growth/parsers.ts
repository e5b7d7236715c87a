/** Parsers of user text in `core`: each takes one text and has to be linear in it. */
import { createBudget } from '../../src/core/budget.js'
import { evaluate } from '../../src/core/conditions/evaluate.js'
import { parseExpression } from '../../src/core/conditions/parse.js'
import { outline } from '../../src/core/document/headings.js'
import { documentJson } from '../../src/core/document/json.js'
import { plainText } from '../../src/core/document/plain-text.js'
import { visitBlocks, visitInlines } from '../../src/core/document/visit.js'
import { hashDocument } from '../../src/core/editing/canonical.js'
import { rebaseSplices } from '../../src/core/editing/rebase.js'
import { type EditedBlock, sourceDocument } from '../../src/core/editing/source-blocks.js'
import { composeSplices } from '../../src/core/editing/splice.js'
import { verifyEdit } from '../../src/core/editing/verify-edit.js'
import { writeEdits } from '../../src/core/editing/write-edits.js'
import { convertHtml } from '../../src/core/html/convert.js'
import { detectLanguage } from '../../src/core/language/detect.js'
import { relativePath, retarget } from '../../src/core/links/relative.js'
import { replaceDestinations } from '../../src/core/links/replace.js'
import { resolveReference } from '../../src/core/links/resolve.js'
import { anchorOf } from '../../src/core/markdown/anchors.js'
import { setFrontMatter, setTitle } from '../../src/core/markdown/front-matter-edit.js'
import { parseFrontMatter } from '../../src/core/markdown/front-matter.js'
import { parseConfig } from '../../src/core/markdown/gitbook-yaml.js'
import { parsePage } from '../../src/core/markdown/parse.js'
import { plainInline } from '../../src/core/markdown/plain-inline.js'
import { inspectPage } from '../../src/core/markdown/inspect-page.js'
import { parseSpaceTags } from '../../src/core/markdown/space-tags.js'
import { formatSummary } from '../../src/core/markdown/summary-format.js'
import { parseSummary } from '../../src/core/markdown/summary.js'
import { formatVariables, parseVariables } from '../../src/core/markdown/variables.js'
import { mergeTexts } from '../../src/core/merge/merge-texts.js'
import { outlineOfFiles } from '../../src/core/pages/outline.js'
import { defaultConfig } from '../../src/core/config.js'
import { slugify } from '../../src/core/pages/paths.js'
import { createExcerpter } from '../../src/core/search/excerpt.js'
import { collectSections, maxSectionLength } from '../../src/core/search/sections.js'
import { foldText, queryTerms } from '../../src/core/search/words.js'
import { findFault, sameStructure, writeRow } from '../../src/core/translation/check.js'
import { splitText, unitsOf } from '../../src/core/translation/split.js'
import { formatTagged, parseTagged } from '../../src/core/translation/tagged.js'

/** The blocks with a word at the end of each paragraph and heading. */
function withWords(blocks: readonly EditedBlock[]): EditedBlock[] {
  const word = { type: 'text' as const, text: ' word' }
  return blocks.map((block) => ({
    ...block,
    ...(block.inlines && { inlines: [...block.inlines, word] }),
    ...(block.blocks && { blocks: withWords(block.blocks) }),
  }))
}

export const readers: Readonly<Record<string, (text: string) => void>> = {
  document(text) {
    const { document } = parsePage(text)
    documentJson(document, { resolve: () => undefined })
    plainText(document)
    outline(document)
    visitBlocks(document, () => {})
    visitInlines(document, () => {})
    for (const { body } of collectSections(document, 'Title')) foldText(body)
  },
  'page of HTML': (text) => void convertHtml(text, { resolve: (url) => url }),
  'survey of an import': (text) => void detectLanguage(inspectPage(text).language),
  'links rewritten'(text) {
    const { references } = parsePage(text)
    replaceDestinations(
      text,
      references.map(({ span, syntax, url }) => ({ span, syntax, url: retarget(url, 'a/b.md', 'c/d.md') })),
    )
  },
  'front matter'(text) {
    parseFrontMatter(text)
    setFrontMatter(text, { title: 'Other', hidden: true })
  },
  title: (text) => void setTitle(text, 'Another title'),
  'table of contents'(text) {
    const { entries } = parseSummary(text)
    formatSummary(entries, text)
  },
  'one line': (text) => void plainInline(text),
  variables(text) {
    parseVariables(text)
    formatVariables({ key1: 'other', key7: 7 }, text)
  },
  configuration(text) {
    parseConfig(text)
    parseSpaceTags(text)
  },
  'merge of two ends': (text) =>
    void mergeTexts(`${text}\n\nend\n`, `Ours\n\n${text}\n\nend\n`, `${text}\n\nend here\n`),
  'merge of one place'(text) {
    const half = text.slice(0, text.length / 2)
    mergeTexts(
      text,
      `${half} ours ${text.slice(half.length)}`,
      `${half.slice(1)} theirs ${text.slice(half.length)}`,
    )
  },
  'merge of all': (text) => void mergeTexts(text, text.replaceAll('a', 'o'), text.replaceAll('a', 't')),
  'edit of all blocks'(text) {
    const before = sourceDocument(text, parsePage(text))
    const after = { ...before, blocks: withWords(before.blocks) }
    const splices = writeEdits(text, before, after)
    verifyEdit(text, [splices], hashDocument(after), (one) => sourceDocument(one, parsePage(one)))
  },
  'edits of two writers'(text) {
    const insertions = [...text.matchAll(/[a-z>]/g)].map(({ index }) => ({
      start: index,
      end: index,
      text: 'b\n',
    }))
    const breaks = [...text.matchAll(/\n.{0,3}/g)]
    const deletions = breaks.map(({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
      text: '',
    }))
    for (const over of [deletions, [{ start: 0, end: text.length, text: '' }]]) {
      composeSplices(over, rebaseSplices(text, insertions, over).splices)
      rebaseSplices(text, over, insertions, 'before')
    }
  },
  paths(text) {
    resolveReference('a/b.md', text)
    retarget(text, 'a/b.md', 'c/d.md')
    relativePath('a/b.md', text)
    relativePath(text, 'a/b.md')
    slugify(text)
    anchorOf(text)
    outlineOfFiles(
      text.split('\n').map((line) => `${line}.md`),
      defaultConfig,
      () => undefined,
    )
  },
  search(text) {
    foldText(text)
    const { terms } = queryTerms(text)
    const body = text.slice(0, maxSectionLength)
    createExcerpter(terms)(body, 200)
    createExcerpter(['a', 'b', '中'])(body, 200)
  },
  'passages of a translation'(text) {
    for (const { pieces } of unitsOf(splitText(text))) parseTagged(formatTagged(pieces), pieces)
  },
  'one passage, judged'(text) {
    const passage = text
      .split('\n')
      .map((line) => line.trim())
      .join(' ')
    for (const unit of unitsOf(splitText(passage))) findFault(unit, unit.pieces)
  },
  'a translation, written'(text) {
    for (const row of splitText(text).rows) writeRow(row, ({ pieces }) => pieces)
    sameStructure(text, text)
  },
  expression(text) {
    const parsed = parseExpression(text.slice(0, 1024))
    if (parsed.ok) {
      try {
        evaluate(parsed.expression, { a: [1, 2, 3], b: 'text' }, createBudget())
      } catch {
        // Most have no value.
      }
    }
  },
}
