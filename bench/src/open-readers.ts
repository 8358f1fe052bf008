import { once } from "node:events"
import { type ClientRequest, get, type IncomingMessage } from "node:http"

/** The address of an event stream, and the headers that authenticate its reader. */
export interface ReaderOf {
  url: string
  headers?: Record<string, string>
}

/** Readers of event streams, as if each was a browser. */
export interface Readers {
  /**
   * By the part of a call: when the call ended, and when each reader was notified, on the clock of `performance.now()`.
   */
  heard: Map<string, { ended: number; at: number[] }>
  close(): void
}

/** Resolves when all streams are open. `parse`: whether the readers parse what they receive, which costs time here. */
export async function openReaders(readers: readonly ReaderOf[], { parse }: { parse: boolean }): Promise<Readers> {
  const heard: Readers["heard"] = new Map()
  const hear = (line: string) => {
    const call = endedCall(line)
    if (call === null) return
    const known = heard.get(call.part) ?? { ended: call.ended, at: [] }
    known.at.push(performance.now())
    heard.set(call.part, known)
  }
  const streams = await Promise.all(readers.map((reader) => openStream(reader, parse ? { hear } : {})))
  return {
    heard,
    close: () => {
      for (const close of streams) close()
    },
  }
}

interface Listening {
  /** Gets each line of the stream; without it, nothing is parsed. */
  hear?(line: string): void
  /** The service closed the stream. */
  onEnd?(): void
}

/** Resolves with a function that closes the stream, when it is open. */
export async function openStream({ url, headers }: ReaderOf, { hear, onEnd }: Listening): Promise<() => void> {
  const request: ClientRequest = get(url, { agent: false, headers })
  const [response] = (await once(request, "response")) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`a reader was answered ${response.statusCode}`)
  request.on("error", () => undefined)
  let isClosed = false
  response.on("close", () => {
    if (!isClosed) onEnd?.()
  })
  if (hear === undefined) response.on("error", () => undefined).resume()
  else readLines(response, hear)
  return () => {
    isClosed = true
    request.destroy()
  }
}

function readLines(response: IncomingMessage, hear: (line: string) => void): void {
  let rest = ""
  response.setEncoding("utf8")
  response.on("error", () => undefined)
  response.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) hear(line)
  })
}

/** The part of an ended call and the end time, from the text of an event; null for other events. */
export function endedCall(line: string): { part: string; ended: number } | null {
  if (!line.includes('"type":"message.part.updated"') || !line.includes('"status":"completed"')) return null
  const part = /"id":"(prt_\w+)"/.exec(line)?.[1]
  const ended = /"end":(\d{13})/.exec(line)?.[1]
  return part === undefined || ended === undefined ? null : { part, ended: Number(ended) - performance.timeOrigin }
}
