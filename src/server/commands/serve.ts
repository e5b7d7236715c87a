/** `octavo serve`: runs the server until a signal stops it. */
import type { Command } from 'commander'
import { readSettings } from '../settings/settings.js'
import { settingFlags } from './command-context.js'

interface Flags {
  readonly host?: string
  readonly port?: string
  readonly demo: boolean
}

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('Serve the app, the API and the published sites')
    .option('--host <address>', 'address to listen on (OCTAVO_HOST, 127.0.0.1)')
    .option('--port <number>', 'port; 0 picks a free one (OCTAVO_PORT, 4000)')
    .option('--no-demo', 'do not import the guide on the first start')
    .action(async ({ host, port, demo }: Flags, command: Command) => {
      const flags = { ...settingFlags(command), host, port, demo: demo ? undefined : false }
      const settings = await readSettings(flags, process.env, process.cwd())
      // Imported lazily: only this command needs the renderer and the web server.
      const { serveUntilStopped } = await import('../start/serve.js')
      await serveUntilStopped(settings)
    })
}
