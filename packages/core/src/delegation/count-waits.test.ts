import { expect, test } from "vitest"
import { taskTimes } from "../message/task-times.ts"
import type { FeedItem, PermissionRequest } from "../schema/index.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

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
