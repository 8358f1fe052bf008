import { once } from "node:events"
import { type ClientRequest, get, type IncomingMessage } from "node:http"

/** Where somebody reads a stream of events, and as whom. */
export interface ReaderOf {
  url: string
  headers?: Record<string, string>
}

/** Readers of streams, as so many browsers are. */
export interface Readers {
  /** By the part of a call: when it ended, and when each of them heard that, by the clock of `performance.now()`. */
  heard: Map<string, { ended: number; at: number[] }>
  close(): void
}

/** Resolves when all streams are open. `note`: whether they read what they get, which takes time of this process. */
export async function openReaders(those: readonly ReaderOf[], { note }: { note: boolean }): Promise<Readers> {
  const heard: Readers["heard"] = new Map()
  const requests: ClientRequest[] = []
  const open = async ({ url, headers }: ReaderOf) => {
    const request = get(url, { agent: false, headers })
    requests.push(request)
    const [response] = (await once(request, "response")) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`a reader was answered ${response.statusCode}`)
    request.on("error", () => undefined)
    if (!note) return void response.on("error", () => undefined).resume()
    readLines(response, (line) => {
      const call = endedCall(line)
      if (call === null) return
      const known = heard.get(call.part) ?? { ended: call.ended, at: [] }
      known.at.push(performance.now())
      heard.set(call.part, known)
    })
  }
  await Promise.all(those.map(open))
  return {
    heard,
    close: () => {
      for (const request of requests) request.destroy()
    },
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

/** The part whose call ended and when it did, by an event as it is written; null for all others. */
function endedCall(line: string): { part: string; ended: number } | null {
  if (!line.includes('"type":"message.part.updated"') || !line.includes('"status":"completed"')) return null
  const part = /"id":"(prt_\w+)"/.exec(line)?.[1]
  const ended = /"end":(\d{13})/.exec(line)?.[1]
  return part === undefined || ended === undefined ? null : { part, ended: Number(ended) - performance.timeOrigin }
}
