/** `npm run bench`: builds the product when it is stale, then measures it; flags are passed to `dev/bench/main.ts`. */
import { runProgram } from './run-program.mjs'

await runProgram('dev/bench/main.ts')
