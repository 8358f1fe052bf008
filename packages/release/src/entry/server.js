import { keepCompiledCode } from "./keep-compiled-code.js"

// Before anything else is loaded.
keepCompiledCode()
const { serveUntilStopped } = await import("./serve.js")
process.exit(await serveUntilStopped(process.argv.slice(2)))
