/** `npm run conformance`: flags are passed to `dev/conformance/main.ts`. */
import { runProgram } from './run-program.mjs'

await runProgram('dev/conformance/main.ts')
