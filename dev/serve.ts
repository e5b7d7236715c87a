/** Development server: runs the command line from source; `npm run dev` restarts it when a source file changes. */
import { main } from '../src/server/main.js'

await main(process.argv)
