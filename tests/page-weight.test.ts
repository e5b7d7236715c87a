/**
 * Page weight: transferred bytes of the first page of a site, with its style sheet and script, as a browser loads them.
 * The documentation has a typical shape: 160 pages under headings, three levels deep, and 4 kB of Markdown on the page.
 */
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { createRandom, createVocabulary } from '../dev/bench/corpus.js'
import { describeSqlite } from './engines.js'
import { openSiteClient } from './site-client.js'

/** Bytes of the page, the style sheet and the program together. */
const most = 22_500

const fence = '`'.repeat(3)

function commonSet(): Record<string, string> {
  const random = createRandom(3)
  const vocabulary = createVocabulary()
  const words = (count: number) => Array.from({ length: count }, () => vocabulary.draw(random)).join(' ')
  const files: Record<string, string> = {}
  let contents = '# Table of contents\n\n* [Welcome](README.md)\n'
  files['README.md'] = page('Welcome')
  for (let group = 0; group < 8; group++) {
    contents += `\n## ${words(2)}\n\n`
    for (let branch = 0; branch < 5; branch++) {
      const folder = `${words(2)} ${group}-${branch}`.replaceAll(' ', '-')
      contents += add(`${folder}/README.md`, '')
      for (let leaf = 0; leaf < 3; leaf++)
        contents += add(`${folder}/${words(2).replace(' ', '-')}-${leaf}.md`, '  ')
    }
  }
  return { ...files, 'SUMMARY.md': contents }

  function add(path: string, indent: string): string {
    const title = words(3)
    files[path] = page(title)
    return `${indent}* [${title}](${path})\n`
  }

  function page(title: string): string {
    const section = () =>
      [
        `## ${words(3)}`,
        `${words(40)}, **${words(2)}** and \`${words(1)}\`. ${words(30)}.`,
        `* ${words(8)}\n* ${words(8)}\n* ${words(8)}`,
        `{% hint style="info" %}\n${words(15)}.\n{% endhint %}`,
        `${fence}js\nconst ${words(1)} = await ${words(1)}('${words(3)}', { ${words(1)}: true })\n${fence}`,
        `| ${words(1)} | ${words(1)} |\n| --- | --- |\n| ${words(1)} | ${words(6)} |\n| ${words(1)} | ${words(6)} |`,
      ].join('\n\n')
    return `---\nicon: rocket\ndescription: ${words(10)}\n---\n\n# ${title}\n\n${[section(), section(), section(), section()].join('\n\n')}\n`
  }
}

describeSqlite('the weight of a page', (engine) => {
  test(`is at most ${most} bytes on the first visit, and half of it afterwards`, async () => {
    const api = await openSiteClient(await engine.open())
    const ann = await api.person('ann')
    const acme = await api.organization(ann)
    const { id } = await api.space(ann, acme, 'Documentation', [])
    await api.request(ann, 'PATCH', `/spaces/${id}`, { editMode: 'live' })
    const files = commonSet()
    expect(Object.keys(files).length).toBeGreaterThan(160)
    const imported = await api.server.inject({
      method: 'POST',
      url: `/v1/spaces/${id}/content/archive`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(
        zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
      ),
    })
    expect(imported.statusCode, imported.body).toBe(201)
    const { base } = await api.publish(ann, acme, { title: 'Documentation', spaces: [id] })

    const bytesOf = async (url: string) => {
      const headers = { host: 'octavo.test', 'accept-encoding': 'gzip, deflate, br, zstd' }
      const answer = await api.server.inject({ method: 'GET', url, headers })
      expect([answer.statusCode, answer.headers['content-encoding']], url).toEqual([200, 'br'])
      return answer.rawPayload.length
    }
    const paths = Object.keys(files)
      .filter((name) => name.endsWith('.md') && name !== 'SUMMARY.md')
      .map((name) => name.replace(/(?:^|\/)README\.md$|\.md$/, ''))
    for (const path of ['', paths[5]!, paths[6]!, paths.at(-1)!]) {
      const { text } = await api.read(base + path)
      const assets = [...text.matchAll(/(?:href|src)="(\/~octavo\/assets\/[^"]+)"/g)].map(([, href]) => href!)
      expect(assets).toHaveLength(2)
      expect(text.length).toBeGreaterThan(20_000)
      const [page, ...others] = await Promise.all([base + path, ...assets].map(bytesOf))
      const whole = [page!, ...others].reduce((sum, bytes) => sum + bytes)
      expect(whole, path).toBeLessThanOrEqual(most)
      expect(page, path).toBeLessThanOrEqual(most / 2)
    }
  })
})
