import { expect, test } from 'vitest'
import { nameInMail, quotedInMail } from './name-in-mail.js'

test.each([
  ['Acme Inc.', 'Acme Inc.'],
  ['  Acme\r\nBcc: all@acme.test\t', 'Acme Bcc: all@acme test'],
  ['\u202egnp.ecived\u202c \u2066x\u2069 \u200b\ufeff\u0007', 'gnp ecived x'],
  ['می‌خواهم 👩‍💻', 'می‌خواهم 👩‍💻'],
  ['Prize: https://evil.test/win now', 'Prize: … now'],
  ['(https://evil.test) www.evil.test', 'an organization'],
  ['See evil.test/win?a=b or "www.evil.test"', 'See … or …'],
  ['evil.test and Node.js and ASP.NET', 'evil test and Node js and ASP NET'],
  ['evil。test, v2.0, 3/4, and/or, e.g. this', 'evil test, v2.0, 3/4, and/or, e.g. this'],
  ['', 'an organization'],
  ['\u202e', 'an organization'],
  ['a'.repeat(60), 'a'.repeat(60)],
  ['😀'.repeat(61), `${'😀'.repeat(59)}…`],
])('%j in a mail is %j', (title, name) => {
  expect(nameInMail(title, 'an organization')).toBe(name)
})

test('a quoted name cannot end its quotes', () => {
  expect(quotedInMail('Acme". Your account "is” «locked', 'x')).toBe(`"Acme'. Your account 'is' 'locked"`)
})
