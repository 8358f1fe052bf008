import { writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

const script = path.join(import.meta.dirname, "test/scripted-agent.mjs")

/** A project whose own docket.json has an agent. */
async function withProjectAgent(acp: object, files: Record<string, string> = {}) {
  const agent = { own: { description: "The project's.", acp } }
  const started = await runAgent({
    files: { "a.txt": "", "docket.json": JSON.stringify({ agent }), ...files },
  })
  const { run } = started
  const { projectID } = run.session
  return {
    ...started,
    async trust() {
      const { trust } = await run.runtime.config.get(projectID)
      await run.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
      return trust.entries
    },
    /** What came of a task for the project's agent. */
    async result() {
      started.results.length = 0
      await started.delegate([{ say: "Hello." }], { subagent_type: "own" })
      return started.results[0] ?? ""
    },
  }
}

test("a project's agent waits for trust, also when its file changes", async () => {
  const { result, trust, at } = await withProjectAgent(
    { command: "node", args: ["agent.mjs"] },
    { "agent.mjs": `import ${JSON.stringify(script)}\n` },
  )
  expect(await result()).toContain("own")
  expect(await result()).not.toContain("Hello.")
  await trust()
  expect(await result()).toContain("Hello.")
  await writeFile(at("agent.mjs"), `import ${JSON.stringify(script)} // changed\n`)
  expect(await result()).not.toContain("Hello.")
})

test("trust shows what a project's agent runs, and no secret of it", async () => {
  const { trust } = await withProjectAgent({
    ...{ command: "node", args: ["agent.mjs"], env: { KEY: "of-the-project", OTHER: "{env:HOME}" } },
    sandbox: false,
  })
  const entry = (await trust()).find(({ path }) => path.join(".") === "agent.own.acp")
  expect(entry?.note).toContain("Runs `node agent.mjs` as a program")
  expect(entry?.note).toContain('Its "sandbox" and "writable" do not count')
  expect(entry?.note).toContain("Reads the environment variable HOME.")
  expect(entry?.value).not.toContain("of-the-project")
})

test.each([
  { command: "npx", args: ["-y", "an-agent"] },
  { command: "npm", args: ["exec", "--yes", "an-agent"] },
  { command: "sh", args: ["-c", "cd . && bunx an-agent"] },
])("a project's agent is not fetched by $command $args", async (acp) => {
  const { result, trust } = await withProjectAgent(acp)
  await trust()
  expect(await result()).toContain("nobody has looked at")
})
