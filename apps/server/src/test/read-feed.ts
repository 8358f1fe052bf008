import { setTimeout as pause } from "node:timers/promises"
import { z } from "zod"
import type { ServiceProcess } from "./service-process.ts"

const Item = z.looseObject({ type: z.string(), rootID: z.string().nullable(), seq: z.number().nullable() })

/** An item as a reader received it, with its event id. */
export interface ReadItem {
  id: string
  item: z.infer<typeof Item>
}

/** Pause before a client opens a stream again (ms). */
const pauseMs = 50

/**
 * Follows a session from its beginning until the signal aborts, like a browser: a stream that ends is opened again
 * after the last id.
 */
export function readFeed(service: ServiceProcess, sessionID: string, signal: AbortSignal): Reading {
  const items: ReadItem[] = []
  return { items, ended: readInto(items, { service, sessionID, signal }) }
}

/** The items so far, and the end of reading. */
export interface Reading {
  items: ReadItem[]
  ended: Promise<void>
}

async function readInto(
  items: ReadItem[],
  { service, sessionID, signal }: { service: ServiceProcess; sessionID: string; signal: AbortSignal },
): Promise<void> {
  const input = encodeURIComponent(JSON.stringify({ rootID: sessionID, since: 0 }))
  while (!signal.aborted) {
    const last = items.at(-1)?.id
    const headers = { ...service.headers, ...(last && { "last-event-id": last }) }
    try {
      const answer = await fetch(`${service.url}/api/trpc/event.subscribe?input=${input}`, { headers, signal })
      if (answer.ok && answer.body) for await (const read of itemsOf(answer.body)) items.push(read)
    } catch (error) {
      if (!signal.aborted && !(error instanceof TypeError)) throw error
    }
    if (!signal.aborted) await pause(pauseMs)
  }
}

async function* itemsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ReadItem> {
  let text = ""
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    const frames = text.split("\n\n")
    text = frames.pop() ?? ""
    for (const frame of frames) {
      const id = /^id: (.*)$/m.exec(frame)?.[1]
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (id !== undefined && data !== undefined) yield { id, item: Item.parse(JSON.parse(data)) }
    }
  }
}
