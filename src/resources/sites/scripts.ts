/**
 * Third-party scripts and Content-Security-Policy: a page allows the scripts configured for its site and no others, so
 * each URL must be one that the policy can name exactly: one host without a wildcard, and a path that is no prefix.
 */
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type {
  PublishedScript,
  SiteScript,
  SiteScriptInput,
  SiteScripts,
} from '../../contract/site-scripts.js'
import type { Tx } from '../../store/db/database.js'
import { type SiteRow, updateSite } from './store.js'

/** Characters that scripts may add to the policy of a page: proxies accept some 4,000 of headers together. */
const maxSourcesLength = 2_000

/** Returns the configured scripts of a site, in their order. */
export function scriptsOf({ scripts }: Pick<SiteRow, 'scripts'>): readonly SiteScript[] {
  return scripts === null ? [] : (JSON.parse(scripts) as SiteScript[])
}

export function presentScripts(row: Pick<SiteRow, 'scripts'>): SiteScripts {
  return { object: 'site-scripts', scripts: [...scriptsOf(row)] }
}

/** The same for a renderer, with the policy that its pages need; none on unpublished sites and in previews. */
export function embeddableScripts(
  { reading }: Actor,
  row: Pick<SiteRow, 'scripts' | 'published'>,
): PublishedScript[] {
  if (row.published === 0 || reading?.isPreview === true) return []
  return scriptsOf(row).map((one) => ({
    ...one,
    contentSecurityPolicy: `script-src ${sourceOf(one)}; connect-src ${originOf(one)}`,
  }))
}

/** Returns the source expression of this script alone in a content policy, which has no queries. */
export function sourceOf({ script }: Pick<SiteScript, 'script'>): string {
  const { origin, pathname } = new URL(script)
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}

export function originOf({ script }: Pick<SiteScript, 'script'>): string {
  return new URL(script).origin
}

/** Replaces the scripts of a site; returns its row. Throws 400 for a URL that a content policy cannot name exactly. */
export async function putScripts(
  tx: Tx,
  row: SiteRow,
  inputs: readonly SiteScriptInput[],
  now: number,
): Promise<SiteRow> {
  const scripts = inputs.map(readScript)
  scripts.forEach(({ script }, index) => {
    const first = scripts.findIndex((one) => one.script === script)
    if (first < index) refuse(`scripts[${index}].script`, `is the address of scripts[${first}] too`)
  })
  const length = scripts.reduce((sum, one) => sum + sourceOf(one).length + originOf(one).length, 0)
  if (length > maxSourcesLength)
    refuse(
      'scripts',
      `has addresses too long for one page: without their queries, and with their hosts once more, they are ${length} characters together, and may be ${maxSourcesLength}`,
    )
  return updateSite(tx, row, {
    scripts: scripts.length === 0 ? null : JSON.stringify(scripts),
    updated_at: now,
  })
}

function readScript({ name, script, integrity, cookies = true }: SiteScriptInput, index: number): SiteScript {
  const member = `scripts[${index}].script`
  if (!URL.canParse(script)) refuse(member, 'is no address')
  const url = new URL(script)
  if (url.username !== '' || url.password !== '') refuse(member, 'names a user')
  // linear: one class.
  if (!/^[a-z0-9.-]+$/.test(url.hostname))
    refuse(member, 'must name one host, by letters, digits, hyphens and dots')
  if (url.pathname.endsWith('/'))
    refuse(member, 'must end with the name of a file: a path that ends with a slash stands for all below it')
  url.hash = ''
  return { name, script: url.href, ...(integrity !== undefined && { integrity }), cookies }
}

function refuse(member: string, problem: string): never {
  throw new ApiError('invalid_request', { problem: `The member "${member}" ${problem}.` })
}
