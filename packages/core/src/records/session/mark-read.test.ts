import { expect, test } from "vitest"
import { answer, lastUserText, type Script, scriptedRuntime } from "../../test/scripted-runtime.ts"

test("an end is read once per person; a later end is unread", async () => {
  let now = 1_000
  await using host = await scriptedRuntime(() => answer("Done."), { clock: () => now++, titles: false })
  const { session } = host.runtime
  const { id } = host.session
  await host.prompt("First")
  const first = (await session.get(id)).ended
  expect(first?.how).toBe("completed")
  await session.markRead(id, first?.at ?? 0)
  await host.prompt("Second")
  const { ended, read } = await session.get(id)
  expect(Object.values(read ?? {})).toEqual([first?.at])
  expect(ended?.at).toBeGreaterThan(first?.at ?? 0)
  // A time from a clock that is ahead.
  const marked = await session.markRead(id, Number.MAX_SAFE_INTEGER)
  expect(Object.values(marked.read ?? {})).toEqual([ended?.at])
  const seq = await host.store.feed.head(id)
  await session.markRead(id, ended?.at ?? 0)
  await session.markRead(id, 1)
  expect(await host.store.feed.head(id)).toBe(seq)
})

test("a session shows whether its last turn failed, stopped or completed", async () => {
  const asked = Promise.withResolvers<void>()
  const work: Record<string, Script> = {
    First() {
      const details = { statusCode: 401, isRetryable: false, responseHeaders: {}, data: null }
      throw Object.assign(new Error("invalid key"), { name: "AI_APICallError", ...details })
    },
    Second({ abortSignal }) {
      asked.resolve()
      return new Promise((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason)))
    },
  }
  await using host = await scriptedRuntime((options) => work[lastUserText(options)]?.(options) ?? answer("Done."))
  const how = async () => (await host.runtime.session.get(host.session.id)).ended?.how
  await host.prompt("First")
  expect(await how()).toBe("failed")
  const stopped = host.prompt("Second")
  await asked.promise
  await host.runtime.abort(host.session.id)
  await stopped
  expect(await how()).toBe("stopped")
  await host.prompt("Third")
  expect(await how()).toBe("completed")
})
