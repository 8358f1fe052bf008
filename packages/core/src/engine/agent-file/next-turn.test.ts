import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

test("a changed agent uses its new text from the next turn", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-next-turn-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const given: string[] = []
  await using host = await scriptedRuntime(
    (options) => {
      given.push(JSON.stringify(options.prompt))
      return answer("Done.")
    },
    { directory },
  )
  const { agent } = host.runtime
  const { projectID } = host.session
  const text = "You build slowly."
  const made = await agent.create({ projectID, owner: "project", name: "build", text, replaces: true })
  await host.prompt("One")
  const { hash } = await agent.read(projectID, made.file)
  await agent.update({ projectID, file: made.file, hash, text: "You build fast." })
  await host.prompt("Two")
  expect(given.map((prompt) => [prompt.includes("You build slowly."), prompt.includes("You build fast.")])).toEqual([
    [true, false],
    [false, true],
  ])
})
