/** Checks of what a change request changes: nothing at all, links, alternative texts, texts that cannot be read. */
import type { MergeCheckItem } from '../../contract/merge-checks.js'
import { type BrokenLink, findLinksBrokenBy } from '../links/broken-by-change.js'
import { type CheckContext, type CheckOutcome, countOf, namePages, nextOf, partOf, passed } from './check.js'
import { type ChangedText, findDifference } from './content-difference.js'
import { type TextInspection, inspectTexts } from './inspect-texts.js'

export async function checkChanges(context: CheckContext): Promise<CheckOutcome> {
  const { count, summary } = await findDifference(context)
  if (count > 0) return passed(summary)
  return { ...passed('It changes nothing yet.'), status: 'warning' }
}

export async function checkLinks(context: CheckContext): Promise<CheckOutcome> {
  const { services, base, content } = context
  const broken = await findLinksBrokenBy(context, base, content)
  if (broken.length === 0) return passed('It breaks no links.')
  return {
    status: 'warning',
    isBlocking: false,
    summary: `${countOf(broken.length, 'link leads', 'links lead')} nowhere after the merge.`,
    count: broken.length,
    async list(limit) {
      const listed = partOf(context, broken, limit)
      const pages = await namePages(
        content,
        listed.map(({ page }) => page),
      )
      const inspections = await inspectTexts(
        content,
        services,
        listed.flatMap(({ text }) => text ?? []),
      )
      const lineOf = ({ text, url }: BrokenLink) => text && inspections.get(text)?.lines.get(url)
      const items = listed.map((link): MergeCheckItem => {
        const page = link.page && pages.get(link.page)
        const line = lineOf(link)
        return {
          message: `${link.url} leads nowhere.`,
          destination: link.url,
          ...(page === undefined ? { file: link.file } : { page }),
          ...(line !== undefined && { line }),
        }
      })
      return { items, ...nextOf(context, broken.length, limit) }
    },
  }
}

export function checkAlternativeTexts(context: CheckContext): Promise<CheckOutcome> {
  return checkTexts(context, {
    ok: 'Every image of the changed pages has an alternative text.',
    found: (count) =>
      `${countOf(count, 'image of the changed pages has', 'images of the changed pages have')} no alternative text.`,
    problemsOf: ({ bareImages }) =>
      bareImages.map(({ url, line }) => ({
        message: `${url} has no alternative text.`,
        destination: url,
        line,
      })),
  })
}

export function checkReadableTexts(context: CheckContext): Promise<CheckOutcome> {
  return checkTexts(context, {
    ok: 'The changed texts are read as they are meant.',
    found: (count) => `${countOf(count, 'passage')} may not be read as meant.`,
    problemsOf: ({ problems }) => problems.map(({ message, line }) => ({ message, line })),
  })
}

interface TextCheck {
  readonly ok: string
  found(count: number): string
  problemsOf(inspection: TextInspection): MergeCheckItem[]
}

/** Runs a check of each changed text; it is "running" while not all of them are inspected. */
async function checkTexts(
  context: CheckContext,
  { ok, found, problemsOf }: TextCheck,
): Promise<CheckOutcome> {
  const { services, content } = context
  const { texts } = await findDifference(context)
  const inspections = await inspectTexts(
    content,
    services,
    texts.map(({ text }) => text),
  )
  const { left } = inspections
  const problems: (readonly [ChangedText, MergeCheckItem])[] = texts.flatMap((one) => {
    const inspection = inspections.get(one.text)
    return inspection === undefined ? [] : problemsOf(inspection).map((problem) => [one, problem] as const)
  })
  const count = problems.length
  const progress =
    left === 0 ? '' : ` ${left} of ${countOf(texts.length, 'changed text')} are not checked yet.`
  if (count === 0 && left === 0) return passed(ok)
  return {
    status: left > 0 ? 'running' : 'warning',
    isBlocking: false,
    summary: `${count === 0 ? '' : found(count)}${progress}`.trim(),
    count,
    list(limit) {
      const items = partOf(context, problems, limit).map(([{ page, file }, problem]) => ({
        ...problem,
        ...(page === undefined ? { file } : { page }),
      }))
      return { items, ...nextOf(context, count, limit) }
    },
  }
}
