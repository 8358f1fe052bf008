import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { drawn } from "@docket/config/sampling"
import type { FeedItem } from "@docket/core/schema"
import { addPage, applyEvent, type TreeState, treeFromSnapshot } from "@docket/core/tree"
import fc from "fast-check"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createDocketClient, type DocketClient } from "./create-docket-client.ts"
import { subscribeTree } from "./subscribe-tree.ts"
import { appOrigin, type LiveService, startLiveService } from "./test/live-service.ts"

let service: LiveService
let client: DocketClient
beforeEach(async () => {
  service = await startLiveService()
  client = createDocketClient(service)
})
afterEach(() => service.close())

async function fetchTree(): Promise<TreeState> {
  const sessionID = service.session.id
  const snapshot = await client.session.tree.query({ sessionID })
  const page = await client.session.messages.query({ sessionID, limit: 2_000 })
  return addPage(treeFromSnapshot(sessionID, snapshot), sessionID, page, "start")
}

/** The content on which both sides must agree; cursors and versions depend on the events received. */
function content({ sessions, transcripts, todos, permissions, turns }: TreeState) {
  return { sessions, transcripts, todos, permissions, turns }
}

/**
 * Changes of all kinds in the session until `signal` aborts: turns one after another, and small changes in parallel.
 */
async function write(signal: AbortSignal): Promise<void> {
  const { session, runtime } = service
  const changes = async () => {
    for (let n = 0; !signal.aborted; n++) {
      await runtime.session.update({ sessionID: session.id, title: `Title ${n}` })
      await runtime.todo.replace({
        sessionID: session.id,
        todos: [{ content: `Todo ${n}`, status: "pending", priority: "low" }],
      })
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  const turns = async () => {
    for (let n = 0; !signal.aborted; n++) {
      const turn = await runtime.session.promptAsync({
        sessionID: session.id,
        parts: [{ type: "text", text: `Prompt ${n}` }],
      })
      await runtime.session.wait({ turnID: turn.id })
    }
  }
  await Promise.all([changes(), turns()])
}

/** The number of items before each cut: 0 cuts as soon as the stream has begun. */
const cuts = fc.array(fc.nat({ max: 6 }), { minLength: 100, maxLength: 100 })

it("hundreds of lost connections lose no event and repeat none", async () => {
  let lost = 0
  const run = async (plan: number[]) => {
    let state = await fetchTree()
    const seen: number[] = []
    let next = 0
    let left = plan[0] ?? 0
    const finished = Promise.withResolvers<void>()
    const cut = () => {
      lost += 1
      next += 1
      left = plan[next] ?? Number.POSITIVE_INFINITY
      if (next === plan.length) finished.resolve()
      service.cutConnections()
    }
    const writing = new AbortController()
    const writer = write(writing.signal)
    const stop = subscribeTree(client, {
      sessionID: service.session.id,
      since: state.seq,
      pauses: { first: 1, longest: 8 },
      onEvent(item: FeedItem) {
        if (item.type === "resync") return finished.reject(new Error("the cursor was lost"))
        if (item.seq !== null) seen.push(item.seq)
        state = applyEvent(state, item)
        if (left-- === 0) cut()
      },
      onState(live) {
        if (live === "live" && left === 0) cut()
      },
      onError: finished.reject,
    })
    await finished.promise
    writing.abort()
    await writer
    // Text that was lost with a connection arrives again with its row. Rows may still be written after a turn's end.
    const caughtUp = async () => expect(content(state)).toEqual(content(await fetchTree()))
    await vi.waitFor(caughtUp, { timeout: 60_000, interval: 20 })
    stop()
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  }
  const cases = drawn(10, 4)
  await fc.assert(fc.asyncProperty(cuts, run), {
    ...cases,
    endOnFailure: true,
    interruptAfterTimeLimit: 150_000,
    markInterruptAsFailure: true,
  })
  expect(lost).toBe(cases.numRuns * 100)
  expect(service.errors).toEqual([])
})

it("a cursor that the tree does not have is answered with resync", async () => {
  const item = await new Promise<FeedItem>((resolve) => {
    const stop = subscribeTree(client, {
      sessionID: service.session.id,
      since: 1_000_000,
      onEvent: (first) => {
        stop()
        resolve(first)
      },
    })
  })
  const { seq } = await service.runtime.session.tree({ sessionID: service.session.id })
  expect(item).toEqual({ type: "resync", rootID: service.session.id, seq })
})

it.each(["garbage", "ses_other:3", `ses_${"0".repeat(26)}:0`, ":", "-1"])(
  "the event id %j is answered with resync",
  async (lastEventId) => {
    const first = await new Promise<{ id: string; data: FeedItem }>((resolve, reject) => {
      const subscription = client.event.subscribe.subscribe(
        { rootID: service.session.id, lastEventId },
        {
          onError: reject,
          onData: (item) => {
            subscription.unsubscribe()
            resolve(item)
          },
        },
      )
    })
    expect(first.data.type).toBe("resync")
    expect(first.id).toBe(`${service.session.id}:${first.data.type === "resync" && first.data.seq}`)
  },
)

it("a refused subscription ends with the reason", async () => {
  const refused = createDocketClient({ url: service.url, token: "wrong" })
  const status = (client: DocketClient, sessionID: string) =>
    new Promise((resolve) => {
      subscribeTree(client, {
        sessionID,
        onEvent: () => undefined,
        onError: (error) => resolve(error.data?.docketCode ?? error.data?.code),
        pauses: { first: 1, longest: 8 },
      })
    })
  expect(await status(refused, service.session.id)).toBe("UNAUTHORIZED")
  expect(await status(client, `ses_${"0".repeat(26)}`)).toBe("session_not_found")
})

/** A service that opens each stream and then sends nothing, like a stopped process or a broken network. */
async function startSilentService() {
  const asked: URL[] = []
  const server = createServer((req, res) => {
    asked.push(new URL(req.url ?? "", "http://localhost"))
    res.writeHead(200, { "content-type": "text/event-stream" })
    res.write(`event: connected\ndata: {}\n\n`)
    if (asked.length === 1) res.write(`id: ${service.session.id}:7\ndata: ${JSON.stringify({ seq: 7 })}\n\n`)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, asked, close }
}

it("a silent service is reported as reconnecting; events resume where they stopped", async () => {
  const silent = await startSilentService()
  const states: string[] = []
  let now = 0
  await new Promise<void>((resolve) => {
    const stop = subscribeTree(createDocketClient({ url: silent.url, token: "any" }), {
      sessionID: service.session.id,
      since: 3,
      pauses: { first: 1, longest: 8 },
      silence: { clock: () => now, longestMs: 12_000, lookEveryMs: 1, page: null },
      onEvent() {
        now += 40_000
      },
      onState(state) {
        states.push(state)
        if (states.length < 4) return
        stop()
        resolve()
      },
    })
  })
  expect(states).toEqual(["connecting", "live", "reconnecting", "live"])
  const sinces = silent.asked.map(({ searchParams }) => JSON.parse(searchParams.get("input") ?? "{}").since)
  expect(sinces).toEqual([3, 7])
  silent.close()
})

it("a page of another origin follows a tree by its token", async () => {
  const elsewhere = (input: string | URL | Request, init?: RequestInit) => {
    const headers = {
      ...Object.fromEntries(new Headers(init?.headers)),
      origin: appOrigin,
      "sec-fetch-site": "cross-site",
    }
    return fetch(input, { ...init, headers })
  }
  const page = createDocketClient({ ...service, fetch: elsewhere })
  const heard = Promise.withResolvers<string>()
  const leave = subscribeTree(page, {
    sessionID: service.session.id,
    onState: (state) => {
      if (state === "live") void page.session.update.mutate({ sessionID: service.session.id, title: "Heard" })
    },
    onEvent: (item) => item.type === "session.updated" && heard.resolve(item.properties.info.title),
    onError: (error) => heard.reject(error),
  })
  expect(await heard.promise).toBe("Heard")
  leave()
})
