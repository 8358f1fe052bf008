import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { findLiveServer } from "./live-server.ts"

test("a running service names the docket process that a person started", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "docket-live-"))
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 3 }))
  const data = path.join(home, "data")
  const main = fileURLToPath(new URL("../main.js", import.meta.url))
  const args = ["serve", "--no-web", "--json", "--port", "0", "--data", data]
  const docket = spawn(process.execPath, [main, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  })
  onTestFinished(async () => {
    const exit = once(docket, "exit")
    docket.kill("SIGTERM")
    await exit
  })
  const [line] = await once(createInterface(docket.stdout), "line")
  const { url } = JSON.parse(String(line))
  expect(await findLiveServer(data)).toMatchObject({ url, process: docket.pid })
})
