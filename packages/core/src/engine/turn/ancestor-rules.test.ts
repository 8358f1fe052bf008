import { expect, it } from "vitest"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

it("a child's turn reads only its ancestors, never the whole tree", async () => {
  const real = createInMemoryStore()
  let treeReads = 0
  const session: typeof real.session = {
    ...real.session,
    tree(rootID) {
      treeReads += 1
      return real.session.tree(rootID)
    },
  }
  await using host = await scriptedRuntime(
    (options) =>
      lastUserText(options) !== "Start" || toolResults(options).length > 0
        ? answer("Done.")
        : answer("", { tool: "task", input: { description: "dig", prompt: "dig", subagent_type: "explore" } }),
    { store: { ...real, session }, config: { permission: "allow" } },
  )
  expect((await host.prompt("Start")).status).toBe("completed")
  expect(await host.runtime.task.list(host.session.id)).toMatchObject([{ state: "completed" }])
  expect(treeReads).toBe(0)
})
