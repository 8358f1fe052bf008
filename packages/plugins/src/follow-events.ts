import type { ExtensionPlace } from "@docket/core/extension-host"
import type { AskDocket } from "./ask-docket.ts"

/** Events that wait for slow plugins; older ones are left out. */
const mostWaiting = 1_000
/** ms until the stream is asked for again when it has ended. */
const againMs = 1_000

interface FollowDeps {
  place: ExtensionPlace
  ask: AskDocket
  timers: { after(ms: number, run: () => void): () => void }
  /** Tells the plugins of an event. Never rejects. */
  tell(event: Record<string, unknown>): Promise<void>
}

/** Reads the events of a project in the words of OpenCode, and tells them one after another. Returns how to end that. */
export function followEvents({ place, ask, timers, tell }: FollowDeps): () => void {
  const stop = new AbortController()
  const waiting: Record<string, unknown>[] = []
  let isTelling = false
  const work = async () => {
    if (isTelling) return
    isTelling = true
    for (let next = waiting.shift(); next !== undefined && !stop.signal.aborted; next = waiting.shift())
      await tell(next)
    isTelling = false
  }
  const read = async () => {
    const request = { place, method: "GET", path: "/event", headers: [], body: null, signal: stop.signal }
    const response = await ask(request)
    if (!response.ok || response.body === null) return
    let text = ""
    const decoder = new TextDecoder()
    for await (const piece of response.body) {
      text += decoder.decode(piece, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const event of blocks.flatMap(eventOf)) waiting.push(event)
      waiting.splice(0, waiting.length - mostWaiting)
      void work()
    }
  }
  const follow = async () => {
    await read().catch(() => {})
    if (!stop.signal.aborted) timers.after(againMs, () => void follow())
  }
  void follow()
  return () => stop.abort()
}

/** The event of a block of the stream; none for a sign of life. */
function eventOf(block: string): Record<string, unknown>[] {
  const data = block.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice("data: ".length)] : []))
  try {
    const event = JSON.parse(data.join("\n")) as Record<string, unknown>
    return event.type === "server.heartbeat" ? [] : [event]
  } catch {
    return []
  }
}
