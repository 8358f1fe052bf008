import type { PeerNews } from "@docket/core"
import { expect, onTestFinished, test, vi } from "vitest"
import { createNews, type News } from "./news.ts"

/** Nodes on a database that delivers texts to all of them, in order. */
function start() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const texts: string[] = []
  const errors: unknown[] = []
  const listeners = new Set<(text: string | null) => void>()
  let isAway = false
  const open = (): News =>
    createNews({
      wake: {
        listen(listener) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
        close: async () => {},
      },
      async execute(_sql, values = []) {
        if (isAway) throw new Error("away")
        for (const text of [values[1]].flat().map(String)) {
          texts.push(text)
          for (const listener of listeners) listener(text)
        }
        return { rows: [] }
      },
      now: () => performance.now(),
      onError: (error) => void errors.push(error),
    })
  return {
    ...{ open, texts, errors },
    lose: () => listeners.forEach((listener) => void listener(null)),
    away(value: boolean) {
      isAway = value
    },
  }
}

function heardBy(news: News, tenantID: string): (PeerNews | null)[] {
  const heard: (PeerNews | null)[] = []
  news.of(tenantID).listen((one) => void heard.push(one))
  return heard
}

const rows = (rootID: string, seq: number): PeerNews => ({
  kind: "rows",
  rootID,
  since: seq - 1,
  to: seq,
  lists: false,
})
const delta = (offset: number, text: string): PeerNews => ({
  kind: "events",
  events: [
    {
      ...{ type: "message.part.delta", rootID: "ses_a", seq: null },
      properties: { sessionID: "ses_a", messageID: "msg_a", partID: "prt_a", offset, text },
    },
  ],
})

test("news of a moment are told together, and not to whoever tells", async () => {
  const { open, texts, lose } = start()
  const [one, other] = [open(), open()]
  const [own, heard, elsewhere] = [heardBy(one, "acme"), heardBy(other, "acme"), heardBy(other, "globex")]
  for (const news of [rows("ses_a", 4), rows("ses_b", 9), rows("ses_a", 5)]) one.of("acme").tell(news)
  await vi.advanceTimersByTimeAsync(99)
  expect(texts).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(texts).toHaveLength(1)
  expect(heard).toEqual([{ ...rows("ses_a", 5), since: 3 }, rows("ses_b", 9)])
  expect([own, elsewhere]).toEqual([[], []])
  lose()
  expect([own.length, heard.length]).toEqual([1, 3])
})

test("a long text arrives in pieces that the database accepts", async () => {
  const { open, texts } = start()
  const [one, other] = [open(), open()]
  const heard = heardBy(other, "acme")
  const long = delta(0, "Grüße, 世界! ".repeat(5_000))
  one.of("acme").tell(long)
  one.of("globex").tell(rows("ses_c", 1))
  await vi.advanceTimersByTimeAsync(100)
  expect(texts.length).toBeGreaterThan(10)
  expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThan(8_000)
  expect(new Set(texts).size).toBe(texts.length)
  expect(heard).toEqual([long])
})

test("news that could not be told are told later, without text", async () => {
  const { open, away, errors } = start()
  const [one, other] = [open(), open()]
  const heard = heardBy(other, "acme")
  away(true)
  one.of("acme").tell(rows("ses_a", 1))
  one.of("acme").tell(delta(0, "Hello"))
  await vi.advanceTimersByTimeAsync(100)
  expect([heard, errors.length]).toEqual([[], 1])
  away(false)
  one.of("acme").tell(rows("ses_a", 2))
  await vi.advanceTimersByTimeAsync(500)
  expect(heard).toEqual([{ ...rows("ses_a", 2), since: 0 }])
})

test("what is told at the end still arrives", async () => {
  const { open } = start()
  const [one, other] = [open(), open()]
  const heard = heardBy(other, "acme")
  one.of("acme").tell(rows("ses_a", 1))
  await one.close()
  expect(heard).toEqual([rows("ses_a", 1)])
})

test("a node knows how late its news are", async () => {
  const { open, away } = start()
  const node = open()
  expect(await node.lag()).toBe(0)
  away(true)
  await expect(node.lag()).rejects.toThrow("away")
  const silent = createNews({
    wake: { listen: () => () => {}, close: async () => {} },
    execute: async () => ({ rows: [] }),
    ...{ now: () => 0, onError: () => {} },
  })
  const lost = silent.lag()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await lost).toBeNull()
})
