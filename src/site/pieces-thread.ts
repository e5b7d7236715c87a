/** The program of a thread that renders pieces of pages: says that it is ready, then answers each in its turn. */
import { parentPort } from 'node:worker_threads'
import { readySign } from '../store/reading/threads.js'
import type { PieceAnswer } from '../store/reading/pieces.js'
import { type Piece, renderPiece } from './blocks/pieces.js'
import { prepareBlocks } from './blocks/prepare.js'

parentPort!.on('message', (piece: Piece) => {
  const markup = renderPiece(piece)
  parentPort!.postMessage((markup === undefined ? {} : { markup }) satisfies PieceAnswer)
})
prepareBlocks()
parentPort!.postMessage(readySign)
