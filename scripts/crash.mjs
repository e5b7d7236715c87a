/** `npm run crash`: flags are passed to `dev/crash/main.ts`. */
import { runProgram } from './run-program.mjs'

await runProgram('dev/crash/main.ts')
