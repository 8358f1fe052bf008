import { parentPort } from "node:worker_threads"
import { createWatch } from "./watch.ts"
import type { FromWatch, ToWatch } from "./watched-command.ts"

/** ms until a new command is first looked at: most have ended by then. */
const firstLook = 50
/** ms between two looks: this, and more where a look takes long. */
const usual = { shortest: 100, longest: 250 }

/** Runs in a thread of its own, so that it goes on when the service is busy. */
function watchFrom(port: NonNullable<typeof parentPort>): void {
  const watch = createWatch((message: FromWatch) => port.postMessage(message))
  let timer: NodeJS.Timeout | null = null
  const look = () => {
    timer = null
    const began = performance.now()
    watch.look()
    const took = performance.now() - began
    next(Math.min(Math.max(usual.shortest, took * 4), usual.longest))
  }
  const next = (wait: number) => {
    if (!watch.isIdle()) timer ??= setTimeout(look, wait)
  }
  port.on("message", (message: ToWatch) => {
    if (message.type === "ended") watch.ended(message.id)
    else watch.add(message.command)
    next(firstLook)
  })
  port.postMessage({ type: "ready" } satisfies FromWatch)
}

if (parentPort !== null) watchFrom(parentPort)
