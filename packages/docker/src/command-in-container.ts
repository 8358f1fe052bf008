import { setTimeout as delay } from "node:timers/promises"
import type { CommandElsewhere } from "@docket/core/run-command"
import type { Lease } from "./containers.ts"
import { EngineProblem } from "./engine-problem.ts"
import { askInside, framesOf, type Program, startInside } from "./run-inside.ts"

/** ms between TERM and the end of the container, as on the machine itself. */
const killAfter = 3_000
/** ms between two looks at what runs, doubled from the first. */
const look = { first: 10, longest: 500 }
/** How often an engine that does not answer is asked for the end of a command. */
const mostFailures = 5
/** ms within which everything else ends after a command's first program. */
const settleMs = 100

/**
 * Starts a command in a container that it has for itself: what it leaves running is ended with it.
 * @throws EngineProblem
 */
export async function commandInContainer(lease: Lease, program: Program): Promise<CommandElsewhere> {
  const { engine, id } = lease
  const running = await startInside(engine, id, program).catch(async (error: unknown) => {
    await lease.kill()
    lease.release()
    throw error
  })
  let isEnding = false
  const stdout = framesOf(running.link)
  const closed = new Promise<void>((resolve) => {
    for (const end of ["end", "close"]) running.link.output.once(end, () => resolve())
  })
  const exited = endOf(running.look, { closed, isEnding: () => isEnding })
  // Whoever runs the command waits for it, but perhaps not yet.
  exited.catch(() => {})
  let settling: Promise<void> | null = null
  const settle = async () => {
    if (!(await becomesQuiet(lease, settleMs))) await lease.kill()
    running.link.close()
    lease.release()
  }
  return {
    stdout,
    exited,
    async end(onSignal) {
      isEnding = true
      const signalled = askInside(engine, id, {
        program: { command: ["/bin/sh", "-c", "kill -TERM -1"] },
        timeout: killAfter,
      })
      // A container without room for another process cannot be asked; it ends as a whole.
      const wasSignalled = await signalled.then(
        () => true,
        () => false,
      )
      onSignal()
      if (!(wasSignalled && (await becomesQuiet(lease, killAfter)))) await lease.kill()
    },
    settled: () => (settling ??= settle()),
  }
}

/** How a command ended, as the engine says. */
async function endOf(
  ask: () => Promise<number | "running" | "gone">,
  { closed, isEnding }: { closed: Promise<void>; isEnding: () => boolean },
): Promise<Awaited<CommandElsewhere["exited"]>> {
  let isOpen = true
  void closed.then(() => {
    isOpen = false
  })
  for (let wait = look.longest, failures = 0; ; ) {
    // The output usually ends with the command. A program that it left may hold it open, or it may have closed it before.
    await (isOpen ? Promise.race([closed, delay(wait)]) : delay(wait))
    wait = isOpen ? look.longest : Math.min(wait === look.longest ? look.first : wait * 2, look.longest)
    const state = await ask().catch((error: unknown) => {
      failures++
      if (failures < mostFailures) return "running" as const
      if (isEnding()) return "gone" as const
      throw lost(error)
    })
    if (typeof state === "number") return { exit: state, signal: null }
    if (state === "gone") {
      if (isEnding()) return { exit: null, signal: "SIGKILL" }
      throw lost()
    }
  }
}

function lost(cause?: unknown): EngineProblem {
  return new EngineProblem(
    "The container of this command is gone: the command ended it, the container engine was stopped, or it ran out of memory. How far the command came is not known: look before you repeat it.",
    { cause },
  )
}

async function becomesQuiet(lease: Lease, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (let wait = look.first; ; wait = Math.min(wait * 2, look.longest)) {
    const isQuiet = await lease.isQuiet().catch(() => null)
    // An engine that does not answer does not tell that nothing runs.
    if (isQuiet === null) return false
    if (isQuiet) return true
    if (performance.now() >= deadline) return false
    await delay(wait)
  }
}
