import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime } from "../../test/scripted-runtime.ts"

const caller = { person: "ada", workspace: "local" }

test("a child without work becomes the child of its first task's agent", async () => {
  const offered: string[][] = []
  await using host = await scriptedRuntime((options) => {
    offered.push((options.tools ?? []).map(({ name }) => name))
    return answer(`Answer to ${lastUserText(options)}.`)
  })
  const { session, task } = host.servicesOf(caller)
  const child = await session.createChild(host.session.id, { title: "Look around", tools: { read: false } })
  expect(child).toMatchObject({
    parentID: host.session.id,
    depth: 1,
    title: "Look around",
    agent: "general",
    by: caller,
  })
  const asked = { agent: "explore", description: "look", prompt: "What is here?", childID: child.id }
  const first = await task.start(host.session.id, { ...asked, tools: { glob: false } })
  expect(await task.wait(first.id, { waitMs: 60_000 })).toMatchObject({
    ...{
      sessionID: child.id,
      agent: "explore",
      state: "completed",
      result: "Answer to What is here?.",
      mode: "background",
    },
    ...{ delivered: "poll", callID: null, by: caller, cause: caller },
  })
  expect(await session.get(child.id)).toMatchObject({ agent: "explore", title: "Look around" })
  const [names = []] = offered
  expect(names).toContain("grep")
  expect(names.filter((name) => ["read", "glob", "question", "task"].includes(name))).toEqual([])
  const second = await task.start(host.session.id, { ...asked, prompt: "And now?" })
  expect(await task.wait(second.id, { waitMs: 60_000 })).toMatchObject({
    sessionID: child.id,
    result: "Answer to And now?.",
  })
})

test("the parent of a person's task is told nothing", async () => {
  let calls = 0
  await using host = await scriptedRuntime(() => {
    calls += 1
    return answer("Done.")
  })
  const { session, task } = host.servicesOf(caller)
  const started = await task.start(host.session.id, { agent: "explore", description: "look", prompt: "What is here?" })
  await task.wait(started.id, { waitMs: 60_000 })
  // A prompt of a person brings what was not told yet.
  await host.prompt("Go on.")
  expect((await session.messages({ sessionID: host.session.id })).items).toHaveLength(2)
  expect(calls).toBe(2)
})

test("an unknown agent or foreign child fails the task", async () => {
  await using host = await scriptedRuntime(() => answer("Done."))
  const { session, task } = host.servicesOf(caller)
  const asked = { agent: "explore", description: "look", prompt: "What is here?" }
  await expect(task.start(host.session.id, { ...asked, agent: "nobody" })).rejects.toThrow(
    'There is no agent "nobody".',
  )
  const other = await session.create({ projectID: host.session.projectID })
  await expect(task.start(host.session.id, { ...asked, childID: other.id })).rejects.toThrow("is no child of")
  expect(await task.list(host.session.id)).toEqual([])
})

test("recent sessions include children, the newest trees first", async () => {
  await using host = await scriptedRuntime(() => answer("Done."))
  const { session } = host.servicesOf(caller)
  const child = await session.createChild(host.session.id, { title: "Look around" })
  const other = await session.create({ projectID: host.session.projectID, title: "Other" })
  const ids = async (limit: number) => (await session.recent({ limit })).map(({ id }) => id)
  expect(new Set(await ids(10))).toEqual(new Set([host.session.id, child.id, other.id]))
  expect((await session.recent({ limit: 10, search: "other" })).map(({ id }) => id)).toEqual([other.id])
  expect(await session.recent({ limit: 10, projectID: "prj_none" })).toEqual([])
})
