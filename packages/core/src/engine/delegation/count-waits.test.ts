import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { taskTimes } from "../../ground/message/task-times.ts"
import type { FeedItem, PermissionRequest } from "../../ground/schema/index.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

const bash = (command: string) => ({ tool: "bash", input: { command, description: command } })
const work = { tool: "task", input: { subagent_type: "general", prompt: "work", description: "Work" } }

test("a task's time waiting for answers is counted apart from its work; requests that overlap count once", async () => {
  let now = 1_000_000
  const asked: PermissionRequest[] = []
  const config = { permission: { bash: { "*": "ask" } } } as const
  await using host = await scriptedRuntime(
    (options) => {
      if (toolResults(options).length > 0) return answer("Done.")
      return lastUserText(options) === "work" ? answer("", bash("git gc"), bash("git prune")) : answer("", work)
    },
    { config, clock: () => now, titles: false },
  )
  const turn = host.prompt("Start")
  const isAsk = (event: FeedItem) => {
    const isNew = event.type === "permission.asked" && !asked.some(({ id }) => id === event.properties.request.id)
    if (isNew) asked.push(event.properties.request)
    return isNew
  }
  await host.until(isAsk)
  now += 40_000
  await host.runtime.permission.reply(asked[0]?.id ?? "", "once")
  await host.until(isAsk)
  now += 20_000
  await host.runtime.permission.reply(asked[1]?.id ?? "", "once")
  await turn
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task?.state).toBe("completed")
  expect(task?.waited).toEqual({ ms: 60_000, since: null })
  expect(task && taskTimes(task)).toEqual({
    waited: { ms: 60_000, since: null },
    worked: { ms: (task?.time.ended ?? 0) - (task?.time.started ?? 0) - 60_000, since: null },
  })
})

test("a task that waits for a person goes on waiting after a crash; the time that nothing ran is neither wait nor work", async () => {
  let now = 1_000_000
  const clock = () => now
  const config = { permission: { bash: { "*": "ask" } } } as const
  const first = await scriptedRuntime(
    (options) => (lastUserText(options) === "work" ? answer("", bash("git gc")) : answer("", work)),
    { config, clock, titles: false },
  )
  const { session, store, directory } = first
  await first.runtime.prompt.submit(session.id, { parts: [{ type: "text", text: "Start" }] })
  await first.until((event) => event.type === "task.updated" && event.properties.task.waited?.since === 1_000_000)
  // The process gives its last sign, dies, and is started again an hour later.
  await mkdir(join(directory, ".data"), { recursive: true })
  await writeFile(join(directory, ".data/last-sign"), String(now + 40_000))
  now += 3_600_000
  const second = await scriptedRuntime(() => answer("I see."), { store, directory, session, clock, titles: false })
  const [task] = await second.runtime.task.list(session.id)
  expect(task).toMatchObject({ state: "running", waited: { ms: 40_000, since: now } })
  now += 5_000
  const [request] = await second.runtime.permission.pending(session.id)
  await second.runtime.permission.reply(request?.id ?? "", "reject", { message: "no" })
  await expect.poll(async () => (await second.runtime.task.list(session.id))[0]?.state).toBe("completed")
  const [ended] = await second.runtime.task.list(session.id)
  expect(ended?.waited).toEqual({ ms: 45_000, since: null })
  await second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})
