import { describe, expect, it } from 'vitest'
import { withoutShellPrompts } from './browser/shell-prompts.js'

describe('withoutShellPrompts', () => {
  it.each([
    ['bash', '$ npm ci\n$ npm start', 'npm ci\nnpm start'],
    ['', '# first\n$ npm ci\n\n$ npm start\n', '# first\nnpm ci\n\nnpm start\n'],
    ['sh', '$ docker run \\\n> --rm \\\n  octavo', 'docker run \\\n--rm \\\n  octavo'],
    ['powershell', 'PS C:\\Users\\Ann> dir\nPS> cd ..\n> ls', 'dir\ncd ..\nls'],
    ['Cmd', 'C:\\Program Files> dir', 'dir'],
    ['console', '> ls', 'ls'],
  ])('leaves the signs of %s away', (language, code, typed) => {
    expect(withoutShellPrompts(code, language)).toBe(typed)
  })

  it.each([
    ['bash', '$ ls\nREADME.md'],
    ['bash', 'echo $HOME\n$HOME/bin/run'],
    ['bash', '> overwritten.txt'],
    ['markdown', '> a quote'],
    ['text', '> a quote'],
    ['perl', '$ x'],
    ['bash', '# only a comment'],
    ['bash', ''],
  ])('copies as it is what is not all commands: %s %j', (language, code) => {
    expect(withoutShellPrompts(code, language)).toBe(code)
  })
})
