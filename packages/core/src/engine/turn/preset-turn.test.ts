import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

const bash = (command: string) => ({ tool: "bash", input: { command, description: command } })

test("a plan-only session runs read-only commands, refuses others, in subagents too", async () => {
  const commands = [bash("ls && git log --oneline"), bash("touch made"), bash("npm test"), bash("cat $(touch made)")]
  const script: Script = (options) => {
    if (toolResults(options).length > 0) return answer(toolResults(options).join("\n"))
    if (lastUserText(options) === "child") return answer("", ...commands)
    const task = { prompt: "child", description: "child", subagent_type: "general" }
    return answer("", ...commands, { tool: "task", input: task })
  }
  await using host = await scriptedRuntime(script, { config: { delegation: { envelope: false } } })
  await host.runtime.session.setPreset(host.session.id, "plan")
  await host.prompt("Look")
  const { sessions } = await host.runtime.session.tree(host.session.id)
  const calls = await Promise.all(
    sessions.map(async ({ id }) => {
      const { items } = await host.messages(id)
      return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
    }),
  )
  const states = calls.map((ofSession) =>
    ofSession.filter(({ tool }) => tool === "bash").map(({ state }) => state.status),
  )
  expect(states).toEqual(Array(2).fill(["completed", "error", "error", "error"]))
  expect(JSON.stringify(calls)).toContain("the session is set to “Plan only”")
  expect(existsSync(join(host.directory, "made"))).toBe(false)
  expect(await host.runtime.permission.pending()).toEqual([])
})

test("a preset chosen in a turn holds from the next call", async () => {
  const script: Script = (options) => {
    const done = toolResults(options).length
    return done === 2 ? answer("Done.") : answer("", bash(done === 0 ? "touch first" : "touch second"))
  }
  await using host = await scriptedRuntime(script, { config: { permission: { bash: { "touch first": "ask" } } } })
  const turn = host.prompt("Work")
  const asked = await host.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("Nothing was asked.")
  await host.runtime.session.setPreset(host.session.id, "plan")
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await turn
  expect(["first", "second"].map((file) => existsSync(join(host.directory, file)))).toEqual([true, false])
  expect(JSON.stringify(await host.messages())).toContain("the session is set to “Plan only”")
})
