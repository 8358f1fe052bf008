import { once } from "node:events"
import { type ClientRequest, get, type IncomingMessage } from "node:http"

/** Readers of one shared page's stream, as so many browsers are. */
export interface ShareViewers {
  /** By the part of a call that ended: `performance.now()` when each of them heard it. */
  heard: Map<string, number[]>
  close(): void
}

/**
 * Opens the stream of a link so many times; resolves when all are open. `note`: whether they read what they get, which takes
 * time of this process.
 */
export async function openViewers(url: string, count: number, note: boolean): Promise<ShareViewers> {
  const { origin, pathname } = new URL(url)
  const heard = new Map<string, number[]>()
  const requests: ClientRequest[] = []
  const open = async () => {
    const request = get(`${origin}/api${pathname}/events`, { agent: false })
    requests.push(request)
    const [response] = (await once(request, "response")) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`a viewer was answered ${response.statusCode}`)
    request.on("error", () => undefined)
    if (!note) return void response.on("error", () => undefined).resume()
    readLines(response, (line) => {
      const part = endedCall(line)
      if (part === null) return
      const times = heard.get(part) ?? []
      times.push(performance.now())
      heard.set(part, times)
    })
  }
  await Promise.all(Array.from({ length: count }, open))
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

/** The part whose call ended, by an event as it is written; null for all others. */
function endedCall(line: string): string | null {
  if (!line.startsWith('data: {"type":"message.part.updated"') || !line.includes('"status":"completed"')) return null
  return /"id":"(prt_\w+)"/.exec(line)?.[1] ?? null
}
