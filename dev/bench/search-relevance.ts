/** Search relevance: how often the right page is among the first five results, on both engines. */
import { parsePage } from '../../src/core/markdown/parse.js'
import { startPostgres } from '../postgres-process.js'
import { require2xx } from '../server-process.js'
import type { Figure } from './figure.js'
import { readCorpus, runImport } from './imports.js'
import { type SearchablePage, type QuestionKind, drawQuestions } from './search-questions.js'
import { type World, listPages } from './world.js'

const places = 5
/** What a set in another language than English may fall short: the drawn endings and question words are English. */
const leewayOfLanguage = 0.02

/** Answers six figures for each folder on SQLite, and beside them on PostgreSQL where that is installed. */
export async function measureSearchRelevance(folders: readonly string[], count: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const folder of folders) figures.push(...(await findInCorpus(folder, count)))
  const postgres = await startPostgres()
  if (postgres === undefined) return figures
  try {
    for (const folder of folders) figures.push(...(await findInCorpus(folder, count, postgres.url)))
  } finally {
    await postgres.remove()
  }
  return figures
}

async function findInCorpus(folder: string, count: number, url?: string): Promise<Figure[]> {
  const target: { world?: World; space?: string } = {}
  await runImport(
    await readCorpus(folder),
    (opened, imported) => Object.assign(target, { world: opened, space: imported }),
    url,
  )
  const [world, space] = [target.world!, target.space!]
  try {
    const { language } = await require2xx(world.server.request('GET', `/spaces/${space}`))
    const leeway = language === 'en' ? 0 : leewayOfLanguage
    const figures: Figure[] = []
    for (const kind of drawQuestions(await readPages(world, space), count)) {
      if (kind.questions.length === 0) continue
      figures.push({
        name: `${folder.split('/').at(-1)}: ${kind.name}, ${kind.questions.length} asked, ${url === undefined ? 'SQLite' : 'PostgreSQL'}`,
        value: await shareFound(world, space, kind),
        unit: 'found',
        target: { of: 'value', kind: 'at least', limit: kind.target - leeway },
      })
    }
    return figures
  } finally {
    await world.close()
  }
}

async function readPages(world: World, space: string): Promise<readonly SearchablePage[]> {
  const pages: SearchablePage[] = []
  for (const { id } of await listPages(world, space)) {
    const path = `/spaces/${space}/content/page/${id}?format=markdown`
    const { title, markdown } = await require2xx(world.server.request('GET', path))
    pages.push({ id, title, document: parsePage(markdown).document })
  }
  return pages
}

async function shareFound({ server }: World, space: string, { questions }: QuestionKind): Promise<number> {
  let found = 0
  for (const { text, id } of questions) {
    const search = new URLSearchParams({ query: text.slice(0, 512), limit: String(places) })
    const { items } = await require2xx(server.request('GET', `/spaces/${space}/search?${search}`))
    if (items.some((item: { id: string }) => item.id === id)) found += 1
  }
  return found / questions.length
}
