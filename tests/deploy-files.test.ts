/** Files for containers, systemd, proxies and Kubernetes: valid, and in agreement with the program. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const deployed = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
const files = ['Dockerfile', ...deployed]

test('every setting that they name exists', () => {
  const known = new Set(read('src/server/settings/settings.ts').match(/OCTAVO_[A-Z_]+/g))
  const named = files.flatMap((file) =>
    (read(file).match(/OCTAVO_[A-Z_]+/g) ?? []).map((name) => [file, name]),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, name]) => !known.has(name!))).toEqual([])
})

test('Compose files parse, and name only volumes, configurations and services that they declare', () => {
  for (const file of deployed.filter((name) => name.includes('compose'))) {
    const { services, volumes = {}, configs = {} } = parse(read(file))
    for (const service of Object.values<any>(services)) {
      for (const volume of service.volumes ?? []) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
      for (const { source } of service.configs ?? []) expect(Object.keys(configs)).toContain(source)
      const needed = service.depends_on ?? {}
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
        expect(Object.keys(services)).toContain(name)
    }
    const { octavo } = services
    expect(octavo).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  }
})

test('templates of the chart use values that exist', () => {
  const values = parse(read('deploy/helm/octavo/values.yaml'))
  const templates = deployed.filter((name) => name.includes('/templates/'))
  expect(templates.length).toBeGreaterThan(3)
  for (const file of templates) {
    const text = read(file)
    expect(text.split('{{').length, file).toBe(text.split('}}').length)
    const opened = text.match(/\{\{-? (?:if|range) /g)?.length ?? 0
    expect(text.match(/\{\{-? end \}\}/g)?.length ?? 0, file).toBe(opened)
    for (const [, path] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      const found = path!.split('.').reduce((value, name) => value?.[name], values)
      expect(found, `${file}: ${path}`).toBeDefined()
    }
  }
})

test('the image has the Node release that the package needs, and the health check of the server', () => {
  const { engines } = JSON.parse(read('package.json'))
  const [, oldest] = /^>=(\d+)/.exec(engines.node)!
  const versions = [...read('Dockerfile').matchAll(/^FROM \S*node(?:js|:)(\d+)/gm)].map(
    ([, version]) => version,
  )
  expect(versions).toHaveLength(3)
  for (const version of versions) expect(Number(version)).toBeGreaterThanOrEqual(Number(oldest))
  expect(read('Dockerfile')).toContain('/readyz')
  expect(read('src/server/server.ts')).toContain("server.get('/readyz'")
})
