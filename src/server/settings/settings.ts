/**
 * Settings: flags, then environment, then `octavo.config.json`, then defaults; validated as a whole
 * before anything starts, with a message for each invalid one.
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import Type, { type Static } from 'typebox'
import { formats } from './formats.js'
import { SettingsError, explainErrors, unknownSetting, unknownVariables } from './settings-errors.js'

const configFile = 'octavo.config.json'

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
    url: Type.Optional(Type.String({ format: 'web', description: 'OCTAVO_URL: public base URL.' })),
    databaseUrl: Type.Optional(
      Type.String({
        pattern: '^postgres(ql)?://',
        description: 'OCTAVO_DATABASE_URL; SQLite when unset.',
        allowed: 'an address that begins with "postgres://"',
      }),
    ),
    filesUrl: Type.Optional(
      Type.String({ format: 'bucket', description: 'OCTAVO_FILES_URL; the data folder when unset.' }),
    ),
    sitesDomain: Type.Optional(
      Type.String({ format: 'domain', description: 'OCTAVO_SITES_DOMAIN: sites live below it.' }),
    ),
    secret: Type.Optional(
      Type.String({
        minLength: 16,
        description: 'OCTAVO_SECRET; made once and kept in the database when unset.',
      }),
    ),
    adminEmail: Type.Optional(Type.String({ format: 'email', description: 'OCTAVO_ADMIN_EMAIL' })),
    adminToken: Type.Optional(
      Type.String({
        pattern: '^oct_[A-Za-z0-9]{40}$',
        description: 'OCTAVO_ADMIN_TOKEN: "oct_" and 40 letters or digits.',
        allowed: '"oct_" and 40 letters or digits',
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
        format: 'networks',
        description: 'OCTAVO_TRUSTED_PROXIES: addresses or networks whose X-Forwarded-For is believed.',
      }),
    ),
    countryHeader: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$',
        description: 'OCTAVO_COUNTRY_HEADER: in which a proxy says from which country somebody reads.',
        allowed: 'the name of a header, such as "CF-IPCountry"',
      }),
    ),
    fetchNetworks: Type.Optional(
      Type.String({
        format: 'networks',
        description: 'OCTAVO_FETCH_NETWORKS: private networks that imports and webhooks may reach.',
      }),
    ),
    smtpUrl: Type.Optional(
      Type.String({ format: 'mailServer', description: 'OCTAVO_SMTP_URL: where mail is handed in.' }),
    ),
    mailFrom: Type.Optional(
      Type.String({ format: 'sender', description: 'OCTAVO_MAIL_FROM: sender of mails.' }),
    ),
    oidcIssuer: Type.Optional(
      Type.String({
        format: 'provider',
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
    backup: Type.Optional(
      Type.String({
        format: 'backup',
        description: 'OCTAVO_BACKUP: folder or bucket into which a server writes a backup regularly.',
      }),
    ),
    backupHours: Type.Integer({
      default: 24,
      minimum: 1,
      maximum: 720,
      description: 'OCTAVO_BACKUP_HOURS: from one backup to the next.',
    }),
    backupCount: Type.Integer({
      default: 30,
      minimum: 1,
      maximum: 10_000,
      description: 'OCTAVO_BACKUP_COUNT: backups that are retained.',
    }),
    backupPassphrase: Type.Optional(
      Type.String({
        minLength: 12,
        description: 'OCTAVO_BACKUP_PASSPHRASE: encrypts backups; at least 12 characters.',
      }),
    ),
    requestsPerToken: Type.Integer({
      default: 600_000,
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'OCTAVO_REQUESTS_PER_TOKEN: that the API answers one token in a minute; 0 for any number.',
    }),
    requestsPerAddress: Type.Integer({
      default: 120_000,
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'OCTAVO_REQUESTS_PER_ADDRESS: the same for one address without a token; 0 for any number.',
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
  countryHeader: 'OCTAVO_COUNTRY_HEADER',
  fetchNetworks: 'OCTAVO_FETCH_NETWORKS',
  smtpUrl: 'OCTAVO_SMTP_URL',
  mailFrom: 'OCTAVO_MAIL_FROM',
  oidcIssuer: 'OCTAVO_OIDC_ISSUER',
  oidcClientId: 'OCTAVO_OIDC_CLIENT_ID',
  oidcClientSecret: 'OCTAVO_OIDC_CLIENT_SECRET',
  oidcName: 'OCTAVO_OIDC_NAME',
  cacheMegabytes: 'OCTAVO_CACHE_MB',
  demo: 'OCTAVO_DEMO',
  auditDays: 'OCTAVO_AUDIT_DAYS',
  backup: 'OCTAVO_BACKUP',
  backupHours: 'OCTAVO_BACKUP_HOURS',
  backupCount: 'OCTAVO_BACKUP_COUNT',
  backupPassphrase: 'OCTAVO_BACKUP_PASSPHRASE',
  requestsPerToken: 'OCTAVO_REQUESTS_PER_TOKEN',
  requestsPerAddress: 'OCTAVO_REQUESTS_PER_ADDRESS',
  logLevel: 'OCTAVO_LOG_LEVEL',
}

type SettingInputs = { readonly [Name in keyof Settings]?: unknown }

/** Returns the settings of this process; throws `SettingsError` with each invalid one and what it may be. */
export async function readSettings(
  flags: SettingInputs,
  environment: NodeJS.ProcessEnv,
  folder: string,
): Promise<Settings> {
  const merged = await readConfigFile(join(folder, configFile))
  const unknown = Object.keys(merged)
    .filter((name) => !Object.hasOwn(Values.properties, name))
    .map((name) => unknownSetting(`"${name}" in ${configFile}`, name, Object.keys(Values.properties)))
  for (const name of unknownVariables(environment, Object.values(environmentNames)))
    unknown.push(unknownSetting(name, name, Object.values(environmentNames)))
  for (const [name, variable] of Object.entries(environmentNames)) {
    const value = environment[variable]
    if (value !== undefined && value !== '') merged[name] = value
  }
  for (const [name, value] of Object.entries(flags)) {
    if (value !== undefined) merged[name] = value
  }
  // Reported already, and their values may be secret.
  for (const name of Object.keys(merged)) if (!Object.hasOwn(Values.properties, name)) delete merged[name]
  const options = { allErrors: true, strict: false, useDefaults: true, coerceTypes: true, verbose: true }
  const ajv = new Ajv(options)
  for (const [name, { test }] of Object.entries(formats)) ajv.addFormat(name, test)
  const validate = ajv.compile(Values)
  const problems = validate(merged) ? [] : explainErrors(validate.errors ?? [], nameOf)
  if (unknown.length + problems.length > 0) throw new SettingsError([...unknown, ...problems])
  return { ...(merged as unknown as Settings), data: resolve(folder, String(merged['data'])) }
}

/** Returns the environment variable of a setting: most are set there, and the guide uses these names. */
function nameOf(setting: string): string {
  return Object.hasOwn(environmentNames, setting) ? environmentNames[setting as keyof Settings] : setting
}

async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch (error) {
    throw new SettingsError([`${path} is not valid JSON: ${(error as Error).message}`])
  }
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) return { ...values }
  throw new SettingsError([`${path} must be an object: settings by their names.`])
}
