/**
 * Settings: flags, then environment, then `octavo.config.json`, then defaults; checked as a whole
 * before anything starts, with a message for each that is wrong.
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import Type, { type Static } from 'typebox'

const Values = Type.Object(
  {
    data: Type.String({
      default: './data',
      description: 'OCTAVO_DATA: folder of everything that is remembered.',
    }),
    host: Type.String({ default: '127.0.0.1', description: 'OCTAVO_HOST: address to listen on.' }),
    port: Type.Integer({
      default: 4000,
      minimum: 0,
      maximum: 65535,
      description: 'OCTAVO_PORT; 0 picks a free one.',
    }),
    url: Type.Optional(Type.String({ pattern: '^https?://', description: 'OCTAVO_URL: public base URL.' })),
    databaseUrl: Type.Optional(
      Type.String({ pattern: '^postgres(ql)?://', description: 'OCTAVO_DATABASE_URL; SQLite when unset.' }),
    ),
    filesUrl: Type.Optional(
      Type.String({ pattern: '^s3://', description: 'OCTAVO_FILES_URL; the data folder when unset.' }),
    ),
    sitesDomain: Type.Optional(
      Type.String({ pattern: '^[a-z0-9.-]+$', description: 'OCTAVO_SITES_DOMAIN: sites live below it.' }),
    ),
    secret: Type.Optional(
      Type.String({
        minLength: 16,
        description: 'OCTAVO_SECRET; made once and kept in the database when unset.',
      }),
    ),
    adminEmail: Type.Optional(Type.String({ pattern: '@', description: 'OCTAVO_ADMIN_EMAIL' })),
    adminToken: Type.Optional(
      Type.String({
        pattern: '^oct_[A-Za-z0-9]{40}$',
        description: 'OCTAVO_ADMIN_TOKEN: "oct_" and 40 letters or digits.',
      }),
    ),
    adminPassword: Type.Optional(
      Type.String({
        minLength: 10,
        description: 'OCTAVO_ADMIN_PASSWORD: of the first admin; at least 10 characters.',
      }),
    ),
    metricsToken: Type.Optional(
      Type.String({
        minLength: 16,
        description: 'OCTAVO_METRICS_TOKEN: opens /metrics to other machines; at least 16 characters.',
      }),
    ),
    trustedProxies: Type.Optional(
      Type.String({
        pattern: '^[0-9a-fA-F.:/, ]+$',
        description: 'OCTAVO_TRUSTED_PROXIES: addresses or networks whose X-Forwarded-For is believed.',
      }),
    ),
    smtpUrl: Type.Optional(
      Type.String({ pattern: '^smtps?://', description: 'OCTAVO_SMTP_URL: where mail is handed in.' }),
    ),
    mailFrom: Type.Optional(Type.String({ pattern: '@', description: 'OCTAVO_MAIL_FROM: sender of mails.' })),
    oidcIssuer: Type.Optional(
      Type.String({
        pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])[:/])',
        description: 'OCTAVO_OIDC_ISSUER: an OpenID provider; https, or http on this machine.',
      }),
    ),
    oidcClientId: Type.Optional(Type.String({ minLength: 1, description: 'OCTAVO_OIDC_CLIENT_ID' })),
    oidcClientSecret: Type.Optional(Type.String({ minLength: 1, description: 'OCTAVO_OIDC_CLIENT_SECRET' })),
    oidcName: Type.String({
      default: 'your company account',
      maxLength: 40,
      description: 'OCTAVO_OIDC_NAME: what the button says after "Continue with".',
    }),
    cacheMegabytes: Type.Integer({
      default: 256,
      minimum: 16,
      maximum: 1_000_000,
      description: 'OCTAVO_CACHE_MB: memory for what was read or rendered and may be used again.',
    }),
    demo: Type.Boolean({ default: true, description: 'OCTAVO_DEMO: import the guide on the first start.' }),
    auditDays: Type.Integer({
      default: 730,
      minimum: 1,
      maximum: 36_500,
      description: 'OCTAVO_AUDIT_DAYS: how long entries of the audit log are kept.',
    }),
    logLevel: Type.Unsafe<'silent' | 'error' | 'warn' | 'info' | 'debug'>({
      type: 'string',
      enum: ['silent', 'error', 'warn', 'info', 'debug'],
      default: 'warn',
      description: 'OCTAVO_LOG_LEVEL',
    }),
  },
  {
    additionalProperties: false,
    dependencies: {
      oidcIssuer: ['oidcClientId', 'oidcClientSecret'],
      oidcClientId: ['oidcIssuer'],
      oidcClientSecret: ['oidcIssuer'],
    },
  },
)
export type Settings = Static<typeof Values>

const environmentNames: Record<keyof Settings, string> = {
  data: 'OCTAVO_DATA',
  host: 'OCTAVO_HOST',
  port: 'OCTAVO_PORT',
  url: 'OCTAVO_URL',
  databaseUrl: 'OCTAVO_DATABASE_URL',
  filesUrl: 'OCTAVO_FILES_URL',
  sitesDomain: 'OCTAVO_SITES_DOMAIN',
  secret: 'OCTAVO_SECRET',
  adminEmail: 'OCTAVO_ADMIN_EMAIL',
  adminToken: 'OCTAVO_ADMIN_TOKEN',
  adminPassword: 'OCTAVO_ADMIN_PASSWORD',
  metricsToken: 'OCTAVO_METRICS_TOKEN',
  trustedProxies: 'OCTAVO_TRUSTED_PROXIES',
  smtpUrl: 'OCTAVO_SMTP_URL',
  mailFrom: 'OCTAVO_MAIL_FROM',
  oidcIssuer: 'OCTAVO_OIDC_ISSUER',
  oidcClientId: 'OCTAVO_OIDC_CLIENT_ID',
  oidcClientSecret: 'OCTAVO_OIDC_CLIENT_SECRET',
  oidcName: 'OCTAVO_OIDC_NAME',
  cacheMegabytes: 'OCTAVO_CACHE_MB',
  demo: 'OCTAVO_DEMO',
  auditDays: 'OCTAVO_AUDIT_DAYS',
  logLevel: 'OCTAVO_LOG_LEVEL',
}

/** Thrown for settings that cannot be used; the message is for the person at the keyboard. */
export class SettingsError extends Error {}

type Given = { readonly [Name in keyof Settings]?: unknown }

/** Returns the settings of this process; throws `SettingsError` naming each one that is wrong. */
export async function readSettings(
  flags: Given,
  environment: NodeJS.ProcessEnv,
  folder: string,
): Promise<Settings> {
  const file = await readConfigFile(join(folder, 'octavo.config.json'))
  const merged: Record<string, unknown> = { ...file }
  for (const [name, variable] of Object.entries(environmentNames)) {
    const value = environment[variable]
    if (value !== undefined && value !== '') merged[name] = value
  }
  for (const [name, value] of Object.entries(flags)) {
    if (value !== undefined) merged[name] = value
  }
  const validate = new Ajv({ allErrors: true, strict: false, useDefaults: true, coerceTypes: true }).compile(
    Values,
  )
  if (!validate(merged)) {
    const problems = (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const name =
        instancePath.slice(1) || String((params as { additionalProperty?: string }).additionalProperty ?? '')
      return `  ${environmentNames[name as keyof Settings] ?? name} ${message ?? 'is wrong'}`
    })
    throw new SettingsError(`These settings cannot be used:\n${problems.join('\n')}`)
  }
  return { ...(merged as unknown as Settings), data: resolve(folder, String(merged['data'])) }
}

async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw new SettingsError(`${path} is not valid JSON: ${(error as Error).message}`)
  }
}
