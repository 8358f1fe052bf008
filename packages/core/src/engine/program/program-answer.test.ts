import { expect, onTestFinished, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"
import type { AgentPrograms, ProgramCall } from "./agent-programs.ts"

const call: ProgramCall = {
  ...{ id: "1", tool: "acp", kind: "other", name: "Count", title: "Count", state: "pending", output: "" },
  ...{ input: {}, command: null, url: null, files: [], changes: [], commands: [] },
}

test("a call that cannot be shown fails the task only", async () => {
  const results: string[] = []
  const agentPrograms: AgentPrograms = {
    open: async (_, desk) => ({
      facts: { name: "counter", version: null, conversation: "one", begun: "new", outside: null },
      takesPictures: false,
      async prompt(_, signal) {
        desk.call(call)
        // No JSON can be made of it.
        desk.call({ ...call, input: { count: 1n } })
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))
        return { why: "stopped", tokens: null }
      },
      end: async () => {},
    }),
  }
  const helper = { description: "Counts.", acp: { command: "counter" } }
  const input = { description: "Count", prompt: "Count.", subagent_type: "helper" }
  const run = await scriptedRuntime(
    (model) => {
      results.push(...toolResults(model))
      const isFirst = results.length === 0 && lastUserText(model) === "Go."
      return isFirst ? answer("", { tool: "task", input }) : answer("Done.")
    },
    { agentPrograms, config: { permission: "allow", agent: { helper } } },
  )
  onTestFinished(() => run[Symbol.asyncDispose]())
  await run.prompt("Go.")
  expect(results).toEqual([expect.stringContaining("cannot be shown")])
})
