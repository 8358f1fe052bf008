import { expect, test } from "vitest"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

const day = 86_400_000
const noon = Date.parse("2026-03-05T12:00:00Z")

test("figures of days, models, agents and projects add up to the total", async () => {
  let now = noon - day
  await using host = await scriptedRuntime(() => answer("Done."), { clock: () => now++, titles: false })
  const { session } = host.runtime.as({ person: "ann", workspace: "local" })
  await host.prompt("One")
  now = noon
  await host.prompt("Two")
  const { total, ...stats } = await session.stats({ days: 2, utcOffset: 0 })
  expect(stats).toMatchObject({ from: "2026-03-04", to: "2026-03-05" })
  expect(total).toMatchObject({ turns: 2, failed: 0, answers: 2 })
  expect(total.duration).toBeGreaterThan(0)
  expect(stats.days.map((one) => [one.day, one.turns])).toEqual([
    ["2026-03-05", 1],
    ["2026-03-04", 1],
  ])
  expect(stats.agents.map((one) => [one.agent, one.answers])).toEqual([["build", 2]])
  expect(stats.models.map(({ model }) => model)).toEqual([{ providerID: "scripted", modelID: expect.any(String) }])
  expect(stats.projects).toMatchObject([{ projectID: host.session.projectID, turns: 2 }])
  // Where it is already the sixth, both were done on its two days.
  expect((await session.stats({ days: 2, utcOffset: 840 })).days.map((one) => one.day)).toEqual([
    "2026-03-06",
    "2026-03-05",
  ])
  expect((await session.stats({ days: 1, utcOffset: 0 })).total.turns).toBe(1)
})

test("what others keep to themselves does not count", async () => {
  await using host = await scriptedRuntime(() => answer("Done."), { titles: false, isShared: true })
  const of = (person: string) => host.runtime.as({ person, workspace: "local" }).session
  const parts = [{ type: "text" as const, text: "Look" }]
  const { turn } = await of("ann").start({ projectID: host.session.projectID, parts, visibility: "author" })
  await host.runtime.prompt.wait(turn.id)
  const turns = async (person: string) => (await of(person).stats({ days: 1, utcOffset: 0 })).total.turns
  expect([await turns("ann"), await turns("ben")]).toEqual([1, 0])
})

test("working sessions say what runs and how many prompts wait", async () => {
  const release = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async () => {
    await release.promise
    return answer("Done.")
  })
  const { session } = host.runtime.as({ person: "ann", workspace: "local" })
  const input = { sessionID: host.session.id, parts: [{ type: "text" as const, text: "Look" }] }
  await session.promptAsync(input)
  await host.until(({ type }) => type === "message.updated")
  const last = await session.promptAsync(input)
  const { id: sessionID, rootID } = host.session
  expect(await session.working({})).toEqual([{ sessionID, rootID, status: { type: "busy" }, queued: 1 }])
  release.resolve()
  await session.wait({ turnID: last.id })
  expect(await session.working({})).toEqual([])
})
