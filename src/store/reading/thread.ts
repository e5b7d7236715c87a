/** The program of a reading thread: says that it is ready, takes tasks, answers each in its turn. */
import { parentPort } from 'node:worker_threads'
import { redirectByTable } from '../../core/markdown/redirect-links.js'
import { findWords, followBlocks } from '../../core/merge/track-blocks.js'
import { diffBlocks } from '../../core/merge/diff-blocks.js'
import { convertParts, convertText, describeText, foldText } from './reader.js'
import type { Answer, Task } from './threaded-reader.js'
import { readySign } from './threads.js'

/** Answers are posted in the order of their tasks, though some wait for what a library does. */
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', (task: Task) => {
  last = last.then(async () => {
    const answer = await work(task)
    parentPort!.postMessage(answer, 'said' in answer ? [answer.links.buffer as ArrayBuffer] : [])
  })
})
parentPort!.postMessage(readySign)

function work(task: Task): Answer | Promise<Answer> {
  if ('fold' in task) return foldText(task.fold)
  if ('follow' in task) return followBlocks(...task.follow)
  if ('compare' in task) return { blocks: diffBlocks(...task.compare) }
  if ('wordsOf' in task) return { words: findWords(...task.wordsOf) }
  if ('convert' in task) return convertText(...task.convert)
  if ('convertDocument' in task) return convertParts(...task.convertDocument)
  if ('redirect' in task) return { redirected: redirectByTable(...task.redirect) }
  return describeText(task.describe)
}
