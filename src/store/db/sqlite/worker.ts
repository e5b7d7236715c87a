/** The worker thread that writes to SQLite: executes commands one after the other. */
import { type MessagePort, workerData } from 'node:worker_threads'
import { connectSqlite } from './connection.js'
import { type SessionCommand, sessionOn } from './session.js'

const { file, port } = workerData as { readonly file: string; readonly port: MessagePort }
const session = connectSqlite(file, 'write').then(sessionOn)
// The first command gets the error.
session.catch(() => {})

port.on('message', (command: SessionCommand) => {
  session
    .then((execute) => execute(command))
    .then(
      (answer) => port.postMessage({ answer }),
      (error: unknown) => port.postMessage({ error }),
    )
})
