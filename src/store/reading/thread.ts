/** The program of a reading thread: says that it is ready, takes tasks, answers each in its turn. */
import { parentPort } from 'node:worker_threads'
import { findWords, followBlocks } from '../../core/merge/follow.js'
import { redirectByTable } from '../../core/markdown/redirect-links.js'
import { convertText, describeText, foldText } from './reader.js'
import type { Task } from './threaded-reader.js'
import { readySign } from './threads.js'

parentPort!.on('message', (task: Task) => {
  if ('fold' in task) return parentPort!.postMessage(foldText(task.fold))
  if ('follow' in task) return parentPort!.postMessage(followBlocks(...task.follow))
  if ('wordsOf' in task) return parentPort!.postMessage({ words: findWords(...task.wordsOf) })
  if ('convert' in task) return parentPort!.postMessage(convertText(...task.convert))
  if ('redirect' in task) return parentPort!.postMessage({ redirected: redirectByTable(...task.redirect) })
  const read = describeText(task.describe)
  parentPort!.postMessage(read, [read.links.buffer as ArrayBuffer])
})
parentPort!.postMessage(readySign)
