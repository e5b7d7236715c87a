/** Conditional visibility over HTTP: a revision with computed pages hides the same from a reader in its written form. */
import { expect, test } from 'vitest'
import type { Person } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { openSiteClient } from '../../../tests/site-client.js'

const files = {
  'README.md': '# Home\n',
  'closed.md': '---\nif: visitor.claims.plan === "pro"\n---\n\n# Closed\n',
  'SUMMARY.md': `# Table of contents

* [Home](README.md)
* [Closed](closed.md)
* \`\`\`yaml
  type: builtin:openapi
  title: API
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: missing
  \`\`\`
`,
}

describeEngines('pages under a condition', (engine) => {
  test('are hidden in every form of an expanded revision', async () => {
    const api = await openSiteClient(await engine.open())
    const ann = await api.person('ann')
    const acme = await api.organization(ann)
    const space = await api.folder(ann, acme, 'Guide', files)
    const site = await api.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const path = `/orgs/${acme}/sites/${site.id}`
    const plan = { type: 'string', description: 'The plan.' }
    await api.request(ann, 'PUT', `${path}/adaptive-schema`, {
      jsonSchema: { type: 'object', properties: { plan }, additionalProperties: false },
    })
    await api.request(ann, 'PATCH', path, { adaptiveContent: { enabled: true } })
    const url = `http://octavo.test${site.base}`
    const published = await api.request(null, 'POST', '/urls/published', { url, visitor: {} })
    const reader: Person = { id: '' as Person['id'], token: published.body.apiToken }

    const { revision } = (await api.request(reader, 'GET', `/spaces/${space}`)).body
    expect(revision).toContain('-')
    for (const content of [`/spaces/${space}/content`, `/spaces/${space}/revisions/${revision}`]) {
      for (const query of ['', '?computed=false']) {
        const answer = await api.request(reader, 'GET', `${content}/pages${query}`)
        expect(answer.status, answer.text).toBe(200)
        expect(answer.text, content + query).toContain('Home')
        expect(answer.text, content + query).not.toContain('Closed')
      }
    }
  })
})
