/** The reading worker: reports that it is ready, and completes tasks in order. */
import { parentPort } from 'node:worker_threads'
import { rewriteLinksByTable } from '../../core/markdown/rewrite-links.js'
import { findBlockText, trackBlocks } from '../../core/merge/track-blocks.js'
import { listWordBlocks } from '../../core/comments/word-blocks.js'
import { diffBlocks } from '../../core/merge/diff-blocks.js'
import { findUnchangedBlocks, listBlockSources } from '../../core/merge/unchanged-blocks.js'
import {
  convertClipboardText,
  convertParts,
  convertText,
  describeText,
  foldText,
  parseJsonBytes,
} from './reader.js'
import type { ReadingResult, ReadingTask } from './worker-reader.js'
import { readyMessage } from './worker-pool.js'

/** Results are posted in the order of their tasks, though some are asynchronous. */
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', (task: ReadingTask) => {
  last = last.then(async () => {
    const answer = await work(task)
    parentPort!.postMessage(answer, 'description' in answer ? [answer.links.buffer as ArrayBuffer] : [])
  })
})
parentPort!.postMessage(readyMessage)

function work(task: ReadingTask): ReadingResult | Promise<ReadingResult> {
  if ('fold' in task) return foldText(task.fold)
  if ('follow' in task) return trackBlocks(...task.follow)
  if ('blocksOf' in task) return listBlockSources(task.blocksOf)
  if ('unchanged' in task) return findUnchangedBlocks(...task.unchanged)
  if ('compare' in task) return { blocks: diffBlocks(...task.compare) }
  if ('wordsOf' in task) return { words: findBlockText(...task.wordsOf) }
  if ('wordBlocksOf' in task) return listWordBlocks(task.wordBlocksOf)
  if ('convert' in task) return convertText(...task.convert)
  if ('convertClipboard' in task) return convertClipboardText(task.convertClipboard)
  if ('convertDocument' in task) return convertParts(...task.convertDocument)
  if ('parseJson' in task) return parseJsonBytes(...task.parseJson)
  if ('redirect' in task) return { redirected: rewriteLinksByTable(...task.redirect) }
  return describeText(task.describe)
}
