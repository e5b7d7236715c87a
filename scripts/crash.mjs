/** `npm run crash`: flags go on to `dev/crash/main.ts`. */
import { runProgram } from './run-program.mjs'

await runProgram('dev/crash/main.ts')
