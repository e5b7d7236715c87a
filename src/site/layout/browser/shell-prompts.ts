/** Shell prompts in code samples, which are in the way when the sample is pasted into a shell. */

const dollar = 'bash console fish ksh sh shell shellsession terminal text txt zsh'
const angle = 'bat batch cmd console dos powershell ps1 pwsh shell shellsession terminal'

const prompts: readonly { readonly languages: ReadonlySet<string>; readonly sign: RegExp }[] = [
  { languages: new Set(['', ...dollar.split(' ')]), sign: /^\$ / },
  { languages: new Set(angle.split(' ')), sign: /^(?:> |PS(?: [^>]*)?> ?|[A-Za-z]:\\[^>]*> ?)/ },
]

/**
 * Returns the code without prompts, if each of its commands has one; else unchanged, because then some of its lines are
 * output, or no commands at all.
 */
export function withoutShellPrompts(code: string, language: string): string {
  const signs = prompts
    .filter(({ languages }) => languages.has(language.toLowerCase()))
    .map(({ sign }) => sign)
  const typed: string[] = []
  let isInside = false
  let found = false
  for (const line of code.split('\n')) {
    if (isInside) typed.push(line.replace(/^> /, ''))
    else if (line.trim() === '' || line.startsWith('#')) typed.push(line)
    else {
      const sign = signs.find((one) => one.test(line))
      if (sign === undefined) return code
      found = true
      typed.push(line.replace(sign, ''))
    }
    isInside = found && /[\\`^]$/.test(line)
  }
  return found ? typed.join('\n') : code
}
