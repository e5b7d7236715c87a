/** Server in a separate process, for tests that measure its memory: `<data folder> <admin token>`. */
import { serveUntilStopped } from '../src/server/start/serve.js'
import { readSettings } from '../src/server/settings/settings.js'

const [data, adminToken] = process.argv.slice(2)
await serveUntilStopped(
  await readSettings({ data, adminToken, port: 0, demo: false, logLevel: 'error' }, {}, process.cwd()),
)
