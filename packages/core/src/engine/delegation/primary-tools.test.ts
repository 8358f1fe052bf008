import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

test("a tool of those who lead is neither offered to a child nor run for it", async () => {
  const offered: Record<string, string[]> = {}
  const config = { primary_tools: ["bash", "write"], agent: { general: { permission: { bash: "allow" } } } }
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      offered[text] ??= (options.tools ?? []).map(({ name }) => name)
      if (toolResults(options).length > 0) return answer("Done.")
      if (text !== "Start") return answer("Nothing to do.")
      return answer("", { tool: "task", input: { description: "Work", prompt: "Work", subagent_type: "general" } })
    },
    { config },
  )
  await host.prompt("Start")
  expect(offered.Start).toEqual(expect.arrayContaining(["bash", "edit", "write"]))
  expect(offered.Work).toContain("read")
  for (const name of ["bash", "edit", "write"]) expect(offered.Work).not.toContain(name)
})
