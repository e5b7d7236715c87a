/**
 * Malformed requests: names of `Object.prototype`, duplicate members, broken encodings, at every route of the server. None
 * gets 500, with or without a token.
 */
import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import type { Person } from './test-client.js'
import { describeEngines } from './engines.js'
import { type SiteClient, openSiteClient } from './site-client.js'

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype']

describeEngines('requests that no client sends', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  const routes: { method: string; url: string }[] = []

  beforeAll(async () => {
    api = await openSiteClient(await engine.open(), (route) => routes.push(route))
    ann = await api.person('ann')
    acme = await api.organization(ann)
  })

  describe('names that every object has', () => {
    test('are stored as names of files, pages, members and marks, and rendered', async () => {
      const text = (name: string) =>
        [
          `---\ndescription: About\n${name}: kept\nvars:\n  ${name}: kept\n---\n\n# ${name}\n`,
          `\`\`\`${name}\ncode\n\`\`\`\n`,
          `{% hint style="${name}" %}\n${name}\n{% endhint %}\n\n{% ${name} %}\n`,
          `<${name}>${name}</${name}>\n\n<div ${name}="x">${name}</div>\n`,
          `<i class="fa-${name}"></i> :${name}: &${name}; <code class="expression">space.vars.${name}</code> <code class="expression">${name}</code>\n`,
          `{% embed url="https://${name}/x" %}\n\n[${name}]: ${name}.md\n\n[${name}] [^${name}]\n\n[^${name}]: Note.\n`,
          `{% if ${name} == "x" %}\nx\n{% endif %}\n\n| ${name} |\n| - |\n| ![](.gitbook/assets/${name}) |\n`,
        ].join('\n')
      const files: Record<string, Uint8Array> = Object.create(null)
      files['README.md'] = strToU8('# Home\n')
      files['.gitbook/vars.yaml'] = strToU8(names.map((name) => `${name}: kept\n`).join(''))
      files['.gitbook.yaml'] = strToU8(
        `redirects:\n${names.map((name) => `  ${name}: README.md\n`).join('')}`,
      )
      for (const name of names) {
        files[`.gitbook/assets/${name}`] = strToU8(`bytes of ${name}`)
        files[`pages/${name}.md`] = strToU8(text(name))
        files[`${name}/README.md`] = strToU8(text(name))
      }
      const { id } = await api.space(ann, acme, 'Names', [])
      const archive = await api.server.inject({
        method: 'POST',
        url: `/v1/spaces/${id}/content/archive`,
        headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
        payload: Buffer.from(zipSync(files, { level: 0 })),
      })
      expect(archive.statusCode, archive.body).toBe(201)
      const content = `/spaces/${id}/content`
      await api.request(ann, 'PATCH', `/spaces/${id}`, { editMode: 'live' })
      const made = await api.request(ann, 'POST', content, {
        changes: names.flatMap((name, at) => [
          { operation: 'insert_files', files: [{ ref: `file${name}`, name, base64: 'b25l' }] },
          {
            operation: 'insert_page',
            ref: name,
            title: name,
            slug: `x-${at}`,
            document: { markdown: text(name) },
          },
        ]),
      })
      expect(made.status, made.text).toBe(200)
      for (const name of names) {
        const upload = await api.server.inject({
          method: 'POST',
          url: `/v1${content}/files`,
          headers: {
            authorization: `Bearer ${ann.token}`,
            'content-type': 'application/octet-stream',
            'content-disposition': `attachment; filename="${name}"`,
          },
          payload: 'bytes',
        })
        expect([upload.statusCode, upload.json().contentType], name).toEqual([
          201,
          'application/octet-stream',
        ])
      }
      const { base } = await api.publish(ann, acme, { title: 'Names', spaces: [id] })
      for (const [at, name] of names.entries()) {
        for (const path of [`pages/${name}`, `x-${at}`]) {
          for (const format of ['', '?format=document', '?format=markdown']) {
            const page = await api.request(ann, 'GET', `${content}/path/${encodeURIComponent(path)}${format}`)
            expect(page.status, `${path}${format}: ${page.text}`).toBe(200)
          }
          const rendered = await api.read(`${base}${path}`)
          expect([rendered.status, rendered.text.includes(name)], path).toEqual([200, true])
        }
      }
      const { items } = (await api.request(ann, 'GET', `${content}/files?limit=1000`)).body
      expect(items.map((item: { name: string }) => item.name)).toEqual(expect.arrayContaining(names))
      const revision = await api.request(ann, 'GET', content)
      expect(revision.status).toBe(200)
    })
  })

  describe('every route outside of the API', () => {
    const words = [
      'x',
      '',
      '%ZZ',
      '%FF',
      '%00',
      '%E2%82',
      '__proto__',
      'constructor',
      '..%2f..',
      'a'.repeat(3000),
      '%ED%A0%80',
    ]
    const members = [
      'v',
      'revision',
      'changeRequest',
      'token',
      'q',
      'page',
      'link',
      'organization',
      'return',
      'code',
      'state',
      'iss',
      '__proto__',
      'constructor',
    ]
    const together = (shape: (name: string) => string) => `?${members.map(shape).join('&')}`
    const queries = [
      '',
      together((name) => `${name}=a&${name}=b`),
      together((name) => `${name}[]=a`),
      together((name) => `${name}[a]=b`),
      together((name) => name),
      together((name) => `${name}=%FF&${name}=%ZZ`),
      '?=&=&&&',
      `?${'a=b&'.repeat(500)}`,
    ]
    const bodies: { type?: string; payload?: string }[] = [
      {},
      {
        type: 'application/x-www-form-urlencoded',
        payload: 'email=a&email=b&password=a&link=x&link=y&return=/&return=//',
      },
      {
        type: 'application/x-www-form-urlencoded',
        payload: '__proto__=a&constructor=b&SAMLResponse=%FF%ZZ&email=%ED%A0%80',
      },
      { type: 'application/json', payload: '{"email":{"a":[1]}}' },
      { type: 'application/json', payload: '{' },
      { type: 'multipart/form-data; boundary=x', payload: '--x\r\n\r\n' },
      { type: 'text/plain', payload: 'x' },
      { type: 'nonsense', payload: 'x' },
    ]
    const headers: Record<string, string>[] = [
      { cookie: '=;;a=b;octavo_session=' },
      { cookie: `octavo_session=${'x'.repeat(2000)}` },
      { authorization: 'Bearer' },
      { authorization: 'Basic %%%' },
      { range: 'bytes=-', 'if-none-match': ',,,"' },
      { 'if-none-match': '*', 'sec-fetch-site': 'same-origin' },
      { host: '' },
      { host: '%zz:x' },
      { 'x-forwarded-for': ',,,', origin: 'null', 'user-agent': '' },
    ]

    async function send(method: string, url: string, extra: Record<string, string> = {}, payload?: string) {
      const answer = await api.server.inject({
        method: method as 'GET',
        url,
        headers: { host: 'octavo.test', ...extra },
        ...(payload !== undefined && { payload }),
      })
      expect(
        answer.statusCode,
        `${method} ${url.slice(0, 200)} ${JSON.stringify(extra)}: ${answer.body.slice(0, 300)}`,
      ).toBeLessThan(500)
    }

    test('answers duplicate members, broken names and broken bodies', async () => {
      const { id } = await api.space(ann, acme, 'Odd', [{ slug: 'home', markdown: '# Home\n' }])
      await api.change(ann, id, [{ operation: 'insert_files', files: [{ name: 'a.txt', base64: 'b25l' }] }])
      const { base } = await api.publish(ann, acme, { title: 'Odd', spaces: [id] })
      const [file] = (await api.request(ann, 'GET', `/spaces/${id}/content/files`)).body.items
      const { pathname } = new URL(file.downloadURL)
      const outside = routes.filter(({ url }) => !url.startsWith('/v1'))
      expect(outside.length).toBeGreaterThan(12)
      const real = [
        pathname,
        base,
        `${base}home.md`,
        `${base}~octavo/search`,
        `/s/${id}/`,
        '/~octavo/assets/site.css',
      ]
      for (const path of real) for (const query of queries) await send('GET', path + query)
      for (const { method, url } of outside) {
        const fill = (word: string) => url.replace(/:\w+|\*/g, word)
        for (const word of words) await send(method, fill(word))
        for (const query of queries) await send(method, fill('x') + query)
        for (const { type, payload } of bodies) {
          if (method === 'GET' || method === 'HEAD') continue
          await send(
            method,
            fill('x'),
            { ...(type && { 'content-type': type }), origin: 'http://octavo.test' },
            payload,
          )
        }
        for (const one of headers) await send(method, fill('x'), one)
      }
      for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])
        await send(method, '/~octavo/sign-in')
    })
  })
})
