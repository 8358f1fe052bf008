import type { ExtensionPlace } from "@docket/core/extension-host"
import type { AskDocket } from "./ask-docket.ts"

/** Events that wait for slow plugins; older ones are left out. */
const mostWaiting = 1_000
/** ms until the events are asked for again when they have ended. */
const againMs = 1_000

interface FollowDeps {
  /** What happens from now on. */
  events(signal: AbortSignal): AsyncIterable<object>
  timers: { after(ms: number, run: () => void): () => void }
  /** Tells the plugins of an event. Never rejects. */
  tell(event: object): Promise<void>
}

/** Tells the events of a project one after another. Returns how to end that. */
export function followEvents({ events, timers, tell }: FollowDeps): () => void {
  const stop = new AbortController()
  const waiting: object[] = []
  let isTelling = false
  const work = async () => {
    if (isTelling) return
    isTelling = true
    for (let next = waiting.shift(); next !== undefined && !stop.signal.aborted; next = waiting.shift())
      await tell(next)
    isTelling = false
  }
  const read = async () => {
    for await (const event of events(stop.signal)) {
      waiting.push(event)
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

/** The events of a project in the words of OpenCode. */
export async function* opencodeEvents(
  { place, ask }: { place: ExtensionPlace; ask: AskDocket },
  signal: AbortSignal,
): AsyncIterable<object> {
  const response = await ask({ place, method: "GET", path: "/event", headers: [], body: null, signal })
  if (!response.ok || response.body === null) return
  let text = ""
  const decoder = new TextDecoder()
  for await (const piece of response.body) {
    text += decoder.decode(piece, { stream: true })
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    yield* blocks.flatMap(eventOf)
  }
}

/** The event of a block of the stream; none for a sign of life. */
function eventOf(block: string): object[] {
  const data = block.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice("data: ".length)] : []))
  try {
    const event = JSON.parse(data.join("\n")) as { type?: unknown }
    return event.type === "server.heartbeat" ? [] : [event]
  } catch {
    return []
  }
}
