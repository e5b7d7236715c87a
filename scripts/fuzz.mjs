/** `npm run fuzz`: flags are passed to `dev/fuzz/main.ts`. */
import { runProgram } from './run-program.mjs'

await runProgram('dev/fuzz/main.ts')
