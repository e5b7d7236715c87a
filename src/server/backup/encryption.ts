/**
 * Authenticated encryption of backups: AES-256-GCM with a key derived from a passphrase by scrypt.
 *
 * Deterministic, so that what a backup stored already is recognized: the nonce is a keyed hash of the content. Equal
 * contents are visible as equal, nothing else is. Encrypted bytes: nonce (12), ciphertext, tag (16).
 */
import {
  type DecipherGCM,
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { Transform } from 'node:stream'
import { promisify } from 'node:util'

const [nonceLength, tagLength] = [12, 16]

/** Stored beside the backups; `check` recognizes a wrong passphrase. */
export interface KeyDerivation {
  readonly kdf: 'scrypt'
  readonly salt: string
  readonly cost: number
  readonly check: string
}

export interface Encryption {
  encrypt(bytes: Uint8Array): Buffer
  /** Throws when the bytes were changed. */
  decrypt(bytes: Uint8Array): Buffer
  /** Encrypts a file whose hash is known beforehand. */
  encryptStream(hash: string): Transform
  /** Fails at its end when the bytes were changed. */
  decryptStream(): Transform
}

const derive = promisify(scrypt) as (
  passphrase: string,
  salt: Buffer,
  length: number,
  options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
) => Promise<Buffer>

const blockSize = 8
const defaultCost = 2 ** 15

async function deriveKeys(passphrase: string, { salt, cost }: Pick<KeyDerivation, 'salt' | 'cost'>) {
  const keys = await derive(passphrase.normalize('NFC'), Buffer.from(salt, 'base64url'), 96, {
    N: cost,
    r: blockSize,
    p: 1,
    maxmem: 256 * cost * blockSize,
  })
  return { key: keys.subarray(0, 32), nonceKey: keys.subarray(32, 64), check: keys.subarray(64) }
}

/** Returns the derivation of a new key from a passphrase. */
export async function createKeyDerivation(passphrase: string): Promise<KeyDerivation> {
  const parameters = { salt: randomBytes(32).toString('base64url'), cost: defaultCost }
  const { check } = await deriveKeys(passphrase, parameters)
  return { kdf: 'scrypt', ...parameters, check: check.toString('base64url') }
}

/** Returns the encryption of a passphrase; undefined when it is not the one of the derivation. */
export async function openEncryption(
  passphrase: string,
  derivation: KeyDerivation,
): Promise<Encryption | undefined> {
  const { key, nonceKey, check } = await deriveKeys(passphrase, derivation)
  if (!timingSafeEqual(check, Buffer.from(derivation.check, 'base64url'))) return undefined

  const nonceOf = (kind: string, content: string | Uint8Array): Buffer =>
    createHmac('sha256', nonceKey).update(`${kind}:`).update(content).digest().subarray(0, nonceLength)

  return {
    encrypt(bytes) {
      const nonce = nonceOf('bytes', bytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(bytes) {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength))
      decipher.setAuthTag(bytes.subarray(bytes.length - tagLength))
      const content = decipher.update(bytes.subarray(nonceLength, bytes.length - tagLength))
      return Buffer.concat([content, decipher.final()])
    },
    encryptStream(hash) {
      const nonce = nonceOf('file', hash)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      let isFirst = true
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          if (isFirst) this.push(nonce)
          isFirst = false
          done(null, cipher.update(chunk))
        },
        flush(done) {
          if (isFirst) this.push(nonce)
          this.push(cipher.final())
          this.push(cipher.getAuthTag())
          done()
        },
      })
    },
    decryptStream() {
      let decipher: DecipherGCM | undefined
      // Holds back what may be the tag.
      let pending: Buffer = Buffer.alloc(0)
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          pending = Buffer.concat([pending, chunk])
          if (decipher === undefined && pending.length >= nonceLength) {
            decipher = createDecipheriv('aes-256-gcm', key, pending.subarray(0, nonceLength))
            pending = pending.subarray(nonceLength)
          }
          const ready = pending.length - tagLength
          if (decipher === undefined || ready <= 0) return done()
          const content = decipher.update(pending.subarray(0, ready))
          pending = pending.subarray(ready)
          done(null, content)
        },
        flush(done) {
          try {
            if (decipher === undefined) throw new Error('The encrypted bytes are incomplete')
            decipher.setAuthTag(pending)
            this.push(decipher.final())
            done()
          } catch (error) {
            done(error as Error)
          }
        },
      })
    },
  }
}
