import { writeFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { createBashTool } from "./bash.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

/** The effects shown to the user who is asked about a command. */
async function told(command: string) {
  const fixture = createToolFixture({ bash: "ask" })
  fixture.write("in.txt", "1")
  writeFileSync(path.join(fixture.outside, "x"), "")
  const tool = createBashTool({ env: process.env, clock: Date.now })
  await expect(runTool(tool, { command }, fixture.context)).rejects.toThrow()
  const { metadata } = fixture.asks[0] ?? {}
  const about = typeof metadata === "function" ? await metadata() : metadata
  if (about?.kind !== "command") throw new Error("no command")
  return about.effects
}

it("a request shows all commands it runs and files it touches", async () => {
  expect(await told("sudo grep one in.txt | sort > 'out put.txt' && git push")).toEqual({
    runs: ["sudo grep one in.txt", "grep one in.txt", "sort", "git push"],
    writes: ["out put.txt"],
    removes: [],
    downloads: [],
    notes: ["git push: sends commits to the remote"],
    unknown: [],
    reads: ["in.txt"],
    outside: [],
    more: false,
  })
})

it("a request names places outside and says when more may happen", async () => {
  const effects = await told("cat ../outside/x; $NEXT")
  expect(effects).toMatchObject({ outside: [expect.stringMatching(/\/outside\/\*$/)], more: true })
})

it("a request for an unparsable command makes no claims", async () => {
  expect(await told("echo 'one")).toBeNull()
})
