import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Turn } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../../ground/store/index.ts"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

test("a turn taken over by another runner stops at its next write", async () => {
  const begun = Promise.withResolvers<ReadableStreamDefaultController<LanguageModelV4StreamPart>>()
  const stopped = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    ({ abortSignal }) => {
      abortSignal?.addEventListener("abort", () => stopped.resolve())
      return new ReadableStream<LanguageModelV4StreamPart>({ start: begun.resolve })
    },
    { titles: false },
  )
  const { id } = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Talk" }] })
  const answer = await begun.promise
  const row = await host.store.turn.get(id)
  if (row === null) throw new Error("the turn has no row")
  const taken = { ...row, epoch: row.epoch + 1 }
  await host.store.write.commit([{ rootID: row.rootID, mutations: [{ kind: "turn", value: taken }] }])
  answer.enqueue({ type: "stream-start", warnings: [] })
  answer.enqueue({ type: "text-start", id: "0" })
  answer.enqueue({ type: "text-delta", id: "0", delta: "Once upon a time" })
  await stopped.promise
  await host.runtime.prompt.wait(id)
  expect(await host.store.turn.get(id)).toEqual(taken)
  expect(host.errors).toEqual([])
})

test("waiting for a turn taken over by another runner returns its end", async () => {
  const begun = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    ({ abortSignal }) => {
      abortSignal?.addEventListener("abort", () => stopped.resolve())
      begun.resolve()
      return new ReadableStream<LanguageModelV4StreamPart>()
    },
    { titles: false, shared: { runner: "one", pollMs: 5, leaseMs: 60 } },
  )
  const { id } = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Talk" }] })
  await begun.promise
  const waited = host.runtime.prompt.wait(id)
  const row = await host.store.turn.get(id)
  if (row === null) throw new Error("the turn has no row")
  const owner = { runner: "other", since: 1, until: Number.MAX_SAFE_INTEGER }
  const put = (change: Partial<Turn>) =>
    host.store.write.commit([{ rootID: row.rootID, mutations: [{ kind: "turn", value: { ...taken, ...change } }] }])
  const taken: Turn = { ...row, epoch: row.epoch + 1, owner }
  await put({})
  await stopped.promise
  await put({ status: "completed", time: { ...row.time, ended: 2 } })
  expect(await waited).toMatchObject({ status: "completed", owner })
  expect(host.errors).toEqual([])
})

test("a lease that could not be renewed at once fails no turn", async () => {
  const store = createInMemoryStore()
  let refused = 0
  const write: Store["write"] = {
    ...store.write,
    commit(batches) {
      const isRenewal = batches.every(({ mutations }) =>
        mutations.every((it) => it.kind === "turn" && it.value.status === "running" && it.value.messageID !== null),
      )
      if (!isRenewal || refused > 1) return store.write.commit(batches)
      refused += 1
      return Promise.reject(new DocketError("store_unavailable", "The disk is full."))
    },
  }
  const released = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(() => released.promise.then(() => answer("Done.")), {
    store: { ...store, write },
    shared: { runner: "one", pollMs: 5, leaseMs: 60 },
  })
  const { id } = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Talk" }] })
  await expect.poll(() => refused).toBe(2)
  released.resolve()
  expect((await host.runtime.prompt.wait(id)).status).toBe("completed")
})
