import { expect, test } from 'vitest'
import { DatabaseDamaged, IncompatibleSchema, StorageFull } from '../store/db/unavailable.js'
import { operatorMessage } from './operator-message.js'

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })

test.each([
  [new IncompatibleSchema('Start the other version.'), 'Start the other version.'],
  [
    new StorageFull(new Error('database or disk is full')),
    'There is no room left for the database: database or disk is full',
  ],
  [new DatabaseDamaged(new Error('malformed')), 'The database is damaged: malformed'],
  [
    withCode('ENOSPC: no space left on device, write', 'ENOSPC'),
    'There is no room left on the disk: ENOSPC: no space left on device, write',
  ],
  [withCode('EDQUOT: quota exceeded', 'EDQUOT'), 'There is no room left on the disk: EDQUOT: quota exceeded'],
  [
    withCode('database or disk is full', 'SQLITE_FULL'),
    'There is no room left on the disk: database or disk is full',
  ],
  [withCode('ENOENT: no such file', 'ENOENT'), undefined],
  [new TypeError('undefined is not a function'), undefined],
  ['a text', undefined],
  [undefined, undefined],
])('of %s is %j', (error, message) => {
  expect(operatorMessage(error)).toBe(message)
})
