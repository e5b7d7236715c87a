/** File storage of the settings: a directory in the data folder, or an S3 bucket. */
import { join } from 'node:path'
import { openDirectory } from '../../store/files/directory.js'
import type { S3Settings } from '../../store/files/s3.js'
import type { FileStorage } from '../../store/files/storage.js'
import { SettingsError } from './settings-errors.js'
import type { Settings } from './settings.js'

/** Opens the storage of uploaded files. */
export async function openFiles(settings: Settings, spoolFolder: string): Promise<FileStorage> {
  const { filesUrl } = settings
  if (filesUrl === undefined) return openDirectory(join(settings.data, 'files'))
  const bucket = s3SettingsOf(filesUrl, spoolFolder)
  const { openS3 } = await import('../../store/files/s3.js')
  return openS3(bucket)
}

/** Returns the settings of `s3://bucket/prefix`; keys and region come from the standard AWS variables. */
export function s3SettingsOf(url: string, spoolFolder: string): S3Settings {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_REGION: region = 'us-east-1',
    AWS_ENDPOINT_URL: endpoint,
  } = process.env
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new SettingsError([`${url} is in a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY too.`])
  }
  return { url, endpoint, region, accessKeyId, secretAccessKey, sessionToken, spoolFolder }
}
