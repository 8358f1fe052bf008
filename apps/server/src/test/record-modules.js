import { appendFileSync } from "node:fs"
import { registerHooks } from "node:module"

/** Loaded before a program (`--import`): appends the address of each loaded module to the file in RECORD_MODULES. */
const file = process.env.RECORD_MODULES ?? ""
registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
