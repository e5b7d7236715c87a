/** The program of the thread that writes to SQLite: does what it is asked, one thing after the other. */
import { type MessagePort, workerData } from 'node:worker_threads'
import { connectSqlite } from './connection.js'
import { type Asked, sessionOn } from './session.js'

const { file, port } = workerData as { readonly file: string; readonly port: MessagePort }
const session = connectSqlite(file, 'write').then(sessionOn)
// Whoever asks first is told.
session.catch(() => {})

port.on('message', (asked: Asked) => {
  session
    .then((ask) => ask(asked))
    .then(
      (answer) => port.postMessage({ answer }),
      (error: unknown) => port.postMessage({ error }),
    )
})
