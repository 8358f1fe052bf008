import { expect, it, vi } from "vitest"
import type { TextPart } from "../../ground/schema/index.ts"
import type { ShareCopyStore } from "../../ground/store/index.ts"
import { localCaller } from "../../test/as-local.ts"
import { newTextPart, newUserMessage } from "../../test/entities.ts"
import { createManualTime } from "../../test/manual-time.ts"
import type { ShareBatch } from "./share-service.ts"
import { openShares } from "./test/open-shares.ts"

/** A share with readers that follow it, and a message that grows. */
async function setUp() {
  const time = createManualTime()
  const made = await openShares(time)
  const message = newUserMessage(made.createID, made.session.id)
  await made.journal.commit(made.session.id, [{ kind: "message", value: message }])
  const { share } = await made.shares.create(made.session, {}, localCaller)
  const left = new AbortController()
  const { seq } = await made.shares.copy.tree(share.id)
  const reader = () => made.shares.copy.follow(share.id, seq, left.signal)[Symbol.asyncIterator]()
  const say = async (text: string, part: TextPart = newTextPart(made.createID, message, text)) => {
    await made.journal.commit(made.session.id, [{ kind: "part", value: { ...part, text } }])
    await time.pass(100)
    return part
  }
  return { ...made, share, left, reader, say, time }
}

/** Counts the store calls of a run. */
function countCalls(store: object): () => number {
  const counted = Object.values(store).flatMap((port: object) =>
    Object.keys(port).map((name) => vi.spyOn(port as Record<string, () => unknown>, name as never)),
  )
  return () => counted.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

async function callsOf(readers: number): Promise<{ calls: number; events: ShareBatch[] }> {
  const { store, share, left, reader, say, shares } = await setUp()
  const all = Array.from({ length: readers }, reader)
  const next = all.map((each) => each.next())
  await vi.waitUntil(() => shares.copy.readers(share.id) === readers)
  await say("first")
  const first = await Promise.all(next)
  const calls = countCalls({ share: store.share, copy: store.shareCopy, feed: store.feed, session: store.session })
  const waiting = all.map((each) => each.next())
  await say("second")
  const events = (await Promise.all(waiting)).map(({ value }) => value as ShareBatch)
  expect(first.every(({ done }) => !done)).toBe(true)
  left.abort()
  return { calls: calls(), events }
}

it("presence events cause no reads for readers of a share", async () => {
  const { store, session, left, reader, say, time, bus } = await setUp()
  const heard = reader()
  const first = heard.next()
  await say("first")
  await first
  const calls = countCalls({ share: store.share, copy: store.shareCopy, feed: store.feed, session: store.session })
  const presence = { viewers: [{ person: "ann", places: [] }], more: 0, readers: 1 }
  bus.publish({ type: "presence.updated", rootID: session.id, seq: null, properties: { presence } })
  await time.pass(1_000)
  expect(calls()).toBe(0)
  const next = heard.next()
  await say("second")
  expect(JSON.stringify((await next).value)).not.toContain("ann")
  left.abort()
})

it("scans and writes a part once for two hundred readers", async () => {
  const one = await callsOf(1)
  const many = await callsOf(200)
  expect(many.calls).toBe(one.calls)
  expect(many.events).toHaveLength(200)
  expect(new Set(many.events).size).toBe(1)
  expect(JSON.stringify(many.events[0])).toContain("second")
})

it("buffers little for a slow reader, then sends each row's newest state", async () => {
  const { share, reader, say, shares, left, store } = await setUp()
  const slow = reader()
  const first = slow.next()
  await vi.waitUntil(() => shares.copy.readers(share.id) === 1)
  const part = await say("begun")
  expect((await first).done).toBe(false)
  const page = vi.spyOn(store.shareCopy as ShareCopyStore, "changesSince")
  for (let at = 0; at < 30; at++) await say(`${at} ${"word ".repeat(20_000)}`, part)
  await say("the end", part)
  const heard: string[] = []
  while (!heard.at(-1)?.includes("the end")) heard.push(JSON.stringify((await slow.next()).value))
  expect(heard.join("").length).toBeLessThan(1_500_000)
  expect(page).toHaveBeenCalled()
  left.abort()
})
