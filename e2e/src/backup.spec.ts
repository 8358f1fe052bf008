import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { startDocket } from "./fixtures/docket-server.ts"
import { createGate } from "./fixtures/gate.ts"
import { runDocket } from "./fixtures/run-docket.ts"
import { begin, expect, idle, loaded, send, sessionOf, signIn, test } from "./fixtures/test.ts"

test.use({ config: { permission: "allow" } })

test("a session restored from backup reads as after a crash", async ({ browser, desk, model, project, server }) => {
  const gate = createGate()
  model.script({
    "Look at the names": [
      { text: "I read the file.", calls: [{ tool: "read", args: { filePath: "src/names.js" } }] },
      { text: "It splits at commas.", gate },
    ],
    "Then the tests": [{ text: "They pass." }],
    "And then": [{ text: "That is all." }],
  })
  await begin(desk, "Look at the names")
  await gate.reached
  await send(desk, "Then the tests")
  await expect(desk.getByRole("list", { name: "Queued prompts" })).toHaveText("Then the tests")

  const home = await mkdtemp(path.join(tmpdir(), "docket-backup-"))
  const [file, data] = [path.join(home, "backup"), path.join(home, "restored")]
  const docket = (...args: string[]) => runDocket(args, { cwd: home, home })
  expect(await docket("backup", file, "--data", server.data)).toMatchObject({ code: 0 })
  await server.kill()
  expect(await docket("restore", file, "--data", data)).toMatchObject({ code: 0 })
  gate.open()
  const restored = await startDocket({ project: project.directory, data })
  try {
    const page = await (await browser.newContext()).newPage()
    await signIn(page, restored)
    await page.goto(`${restored.url}/s/${sessionOf(desk)}`)

    const transcript = page.getByRole("feed")
    for (const text of ["I read the file.", "It splits at commas.", "They pass."])
      await expect(transcript.getByText(text)).toHaveCount(1)
    await idle(page)
    await loaded(page)
    await expect(page.getByRole("list", { name: "Queued prompts" }).getByRole("listitem")).toHaveCount(0)
    await expect(transcript.getByRole("article", { name: /^Prompt: / })).toHaveCount(2)
    await expect(transcript.getByRole("button", { name: "Try again" })).toHaveCount(0)
    await send(page, "And then")
    await expect(transcript.getByText("That is all.")).toBeVisible()
  } finally {
    await restored.stop()
    await rm(home, { recursive: true })
  }
})
