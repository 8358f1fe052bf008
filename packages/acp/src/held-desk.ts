import type { ProgramDesk } from "@docket/core/agent-programs"

/** The desk of a conversation whose session has not begun yet: what is said waits for it. */
export interface HeldDesk {
  desk: ProgramDesk
  /** The session has begun: it hears what was said, and all that comes. */
  give(desk: ProgramDesk): void
  /** Nobody hears it from now on, and what it asks is refused. */
  close(): void
}

/** Most that is kept of what was said. */
const mostHeld = 10_000

/** @param onFirst called when something is said or asked for the first time */
export function createHeldDesk(onFirst: () => void): HeldDesk {
  const given = Promise.withResolvers<ProgramDesk>()
  // Nobody may wait for it.
  given.promise.catch(() => {})
  let held: ((desk: ProgramDesk) => void)[] = []
  let own: ProgramDesk | null = null
  let isClosed = false
  let isUsed = false
  const use = () => {
    if (isUsed) return
    isUsed = true
    onFirst()
  }
  const tell = (what: (desk: ProgramDesk) => void) => {
    if (isClosed) return
    use()
    if (own !== null) what(own)
    else if (held.length < mostHeld) held.push(what)
    else if (held.length === mostHeld) held.push((desk) => desk.fail(new Error(tooMuchText)))
  }
  const open = async () => {
    use()
    const desk = await given.promise
    if (isClosed) throw new Error(closedText)
    return desk
  }
  return {
    desk: {
      say: (...said) => tell((desk) => desk.say(...said)),
      call: (call) => tell((desk) => desk.call(call)),
      plan: (entries) => tell((desk) => desk.plan(entries)),
      used: (usage) => tell((desk) => desk.used(usage)),
      subagent: (told) => (isClosed ? told.refuse() : tell((desk) => desk.subagent(told))),
      fail: (error) => tell((desk) => desk.fail(error)),
      ask: async (callID) => {
        const desk = await open().catch(() => null)
        return desk === null ? false : desk.ask(callID)
      },
      read: async (file) => (await open()).read(file),
      write: async (file) => (await open()).write(file),
      run(command) {
        if (own === null || isClosed) throw new Error(closedText)
        return own.run(command)
      },
    },
    give(desk) {
      own = desk
      for (const what of held) what(desk)
      held = []
      given.resolve(desk)
    },
    close() {
      isClosed = true
      held = []
      given.reject(new Error(closedText))
    },
  }
}

const tooMuchText = `It said more than ${mostHeld.toLocaleString("en")} things before its session began, and the rest is lost.`
const closedText = "The subagent has no session in Docket, so that nothing is done for it."
