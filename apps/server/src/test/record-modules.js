import { appendFileSync } from "node:fs"
import { registerHooks } from "node:module"

/** Loaded before a program (`--import`): writes the address of each module that it loads into the file that is named. */
const file = process.env.RECORD_MODULES ?? ""
registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
