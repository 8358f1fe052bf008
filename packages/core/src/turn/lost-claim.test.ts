import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import { scriptedRuntime } from "../test/scripted-runtime.ts"

test("a turn that another runner has taken over stops at its next write, in the middle of an answer", async () => {
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
