import { expect, it } from "vitest"
import { answer, lastUserText, scriptedRuntime } from "../test/scripted-runtime.ts"

it("removing a session ends its links before its running work stops", async () => {
  const waiting = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    if (lastUserText(options) === "Wait") {
      begun.resolve()
      await waiting.promise
    }
    return answer("Done.")
  })
  const { runtime, session } = host
  const { secret } = await runtime.share.create(session.id)
  const left = new AbortController()
  const ended = runtime.share.ended(secret, { isMember: () => true, pass: null }, left.signal)
  const prompted = host.prompt("Wait").catch(() => null)
  await begun.promise
  const removed = runtime.session.remove(session.id)
  expect(await ended).toBe(true)
  expect((await runtime.share.list()).filter(({ time }) => time.revoked === null)).toEqual([])
  waiting.resolve()
  await Promise.all([removed, prompted])
  expect(await runtime.share.list()).toEqual([])
})
