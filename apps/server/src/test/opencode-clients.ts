import { readFile } from "node:fs/promises"
import { createOpencodeClient as createOlderClient } from "@opencode-ai/sdk"
import { createOpencodeClient, type Event } from "@opencode-ai/sdk/v2"
import { onTestFinished } from "vitest"
import type { OpenedService } from "./start-opened-service.ts"

/** Both clients of OpenCode's SDK for a service. */
export async function opencodeClients(service: Pick<OpenedService, "url" | "directory" | "tokenFile">) {
  const token = (await readFile(service.tokenFile, "utf8")).trim()
  const basic = { authorization: `Basic ${Buffer.from(`opencode:${token}`).toString("base64")}` }
  const baseUrl = `${service.url}/opencode`
  /** The client of `/v2`. Without a directory for "". */
  const flat = (directory = service.directory) =>
    createOpencodeClient({ baseUrl, headers: basic, throwOnError: true, ...(directory && { directory }) })
  const nested = () =>
    createOlderClient({
      ...{ baseUrl, directory: service.directory, throwOnError: true },
      headers: { authorization: `Bearer ${token}` },
    })
  /** Reads events until one passes, and gives all up to it. */
  const eventsUntil = async (act: () => Promise<unknown>, isLast: (event: Event) => boolean): Promise<Event[]> => {
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const { stream } = await flat().event.subscribe(undefined, { signal: stop.signal })
    const heard: Event[] = []
    let acting: Promise<unknown> | null = null
    for await (const event of stream) {
      heard.push(event)
      acting ??= act()
      if (isLast(event)) break
    }
    await acting
    stop.abort()
    return heard
  }
  return { token, basic, flat, nested, eventsUntil }
}

/** What a call gives; with `throwOnError` it is there. */
export async function got<T>(call: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await call
  if (data === undefined || data === null) throw new Error("the answer is empty")
  return data
}

export const text = (words: string) => [{ type: "text" as const, text: words }]

export const textsOf = (parts: readonly { type: string }[]) =>
  parts.flatMap((part) => ("text" in part && part.type === "text" ? [part.text] : []))
