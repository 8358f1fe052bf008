import { expect, it } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { createSearchIndex } from "./search-index.ts"

/** An index with this many batches of changes that are not indexed yet. */
function setUp(batches = 0) {
  const { timers, pass, waiting } = createManualTime()
  const bus = createBus((error) => expect.fail(String(error)))
  const errors: unknown[] = []
  const state = { left: batches, taken: 0, calls: 0, failing: false }
  const index = createSearchIndex({
    store: {
      async index() {
        state.calls++
        if (state.failing) throw new Error("the disk is full")
        if (state.left === 0) return false
        state.left--
        state.taken++
        return true
      },
      progress: async () => ({ indexed: state.taken, all: state.taken + state.left }),
    },
    bus,
    timers,
    onError: (error) => errors.push(error),
  })
  const store = () => {
    state.left++
    bus.publish({
      type: "message.removed",
      rootID: "ses_1",
      seq: 1,
      properties: { sessionID: "ses_1", messageID: "msg_1" },
    })
  }
  const text = () =>
    bus.publish({
      ...{ type: "message.part.delta", rootID: "ses_1", seq: null },
      properties: { sessionID: "ses_1", messageID: "msg_1", partID: "prt_1", offset: 0, text: "more" },
    })
  return { index, state, store, text, pass, waiting, errors }
}

it("indexes nothing during a turn's writes, then everything after a rest", async () => {
  const { state, store, pass } = setUp()
  for (let step = 0; step < 10; step++) {
    store()
    await pass(1_000)
  }
  expect(state.calls).toBe(0)
  await pass(5_000)
  expect([state.left, state.taken]).toEqual([0, 10])
})

it("waits while text is written", async () => {
  const { state, store, text, pass } = setUp()
  store()
  for (let step = 0; step < 10; step++) {
    await pass(1_000)
    text()
  }
  expect(state.calls).toBe(0)
  await pass(5_000)
  expect(state.taken).toBe(1)
})

it("delays indexing a busy turn by at most half a minute", async () => {
  const { state, store, pass } = setUp()
  for (let step = 0; step < 29; step++) {
    store()
    await pass(1_000)
  }
  expect(state.calls).toBe(0)
  store()
  await pass(1_500)
  expect(state.taken).toBeGreaterThan(0)
})

it("indexes an old database in steps, and searches report the progress", async () => {
  const { index, state, pass } = setUp(32)
  expect(await index.freshen()).toBe(0.5)
  index.start()
  await pass(60_000)
  expect([state.left, await index.freshen()]).toEqual([0, 1])
})

it("searches the existing index when writing fails, then continues with later changes", async () => {
  const { index, state, store, pass, errors } = setUp(1)
  state.failing = true
  expect(await index.freshen()).toBe(1)
  expect(errors).toHaveLength(1)
  state.failing = false
  store()
  await pass(5_000)
  expect(state.left).toBe(0)
})

it("does nothing after it is closed", async () => {
  const { index, state, store, pass, waiting } = setUp(3)
  index.start()
  await index.close()
  store()
  await pass(60_000)
  expect([state.calls, waiting()]).toEqual([0, 0])
})
