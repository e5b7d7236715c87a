import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { themeScript, themeScriptHash } from './theme.js'

describe('themeScript', () => {
  it('has the hash in the content security policy', () => {
    expect(themeScriptHash).toBe(`'sha256-${createHash('sha256').update(themeScript).digest('base64')}'`)
    expect(themeScript).not.toMatch(/<\/script/i)
  })
})
