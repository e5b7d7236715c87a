import { expect, it } from 'vitest'
import { domainOfEmail, foldEmail } from './email.js'

it.each([
  ['Ada.Lovelace@Octavo.TEST', 'ada.lovelace@octavo.test'],
  ['\u212Aim@octavo.test', '\u212Aim@octavo.test'],
  ['ÄRGER@octavo.test', 'Ärger@octavo.test'],
  ['I\u0307nci@octavo.test', 'i\u0307nci@octavo.test'],
  ['ſam@octavo.test', 'ſam@octavo.test'],
])('%s is stored as %s', (address, folded) => {
  expect(foldEmail(address)).toBe(folded)
})

it.each([
  ['ada@OCTAVO.test', 'octavo.test'],
  ['ada@octavo.\u212Aim', 'octavo.\u212Aim'],
])('the domain of %s is %s', (address, domain) => {
  expect(domainOfEmail(address)).toBe(domain)
})
