import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { test as base, expect, loaded } from "./fixtures/test.ts"

const program = fileURLToPath(new URL("../../apps/server/src/main.js", import.meta.url))

interface EarlyService {
  child: ChildProcess
  url: string
  loginUrl: string
}

/** A service whose web app is still being built by whoever started it, as `npm start` has it. */
const test = base.extend<{ early: EarlyService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  early: async ({}, use) => {
    const data = await mkdtemp(path.join(tmpdir(), "docket-early-"))
    const args = ["--web-follows", "--project", data, "--data", data, "--port", "0", "--json"]
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, HOME: data },
      stdio: ["ignore", "pipe", "ignore", "ipc"],
    })
    if (!child.stdout) throw new Error("the service has no stdout")
    const [line] = (await once(createInterface(child.stdout), "line")) as [string]
    await use({ child, ...JSON.parse(line) })
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL")
      await once(child, "exit")
    }
    await rm(data, { recursive: true, force: true, maxRetries: 3 })
  },
})

test("a waiting page opens itself when the web app is built", async ({ early, page }) => {
  expect((await fetch(`${early.url}/api/health`)).status).toBe(200)
  const waiting = await page.goto(early.loginUrl)
  expect(waiting?.status()).toBe(503)
  await expect(page.getByRole("status")).toHaveText("The web app is being built…")
  const seconds = Number(await page.locator("#seconds").textContent())
  await expect.poll(async () => Number(await page.locator("#seconds").textContent())).toBeGreaterThan(seconds)
  early.child.send("the web app is built")
  // The page kept the code of the login link, so nobody has to open it again.
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await loaded(page)
})

test("a waiting page says when the build has failed", async ({ early, page }) => {
  await page.goto(early.loginUrl)
  await expect(page.getByText("This page opens by itself.")).toBeVisible()
  // What `npm start` does after a build that failed.
  early.child.kill("SIGTERM")
  expect(await once(early.child, "exit")).toEqual([0, null])
  await expect(page.getByRole("status")).toHaveText(
    "Docket has stopped. The terminal where it ran says why. This page opens by itself when it runs again.",
  )
  await expect(page.locator("#seconds")).toHaveCount(0)
})
