import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { createDocketClient } from "@docket/client"
import { expect, onTestFinished, test } from "vitest"
import { startService } from "../test/start-service.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))

test("a refused prompt leaves no session behind, and an older one stays", async () => {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-refused-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  const [project, data] = [path.join(directory, "project"), path.join(directory, "data")]
  const config = path.join(directory, ".config/docket")
  await mkdir(project)
  await mkdir(config, { recursive: true })
  const refusal = { type: "command", command: "echo not today >&2; exit 2" }
  const hooks = { UserPromptSubmit: [{ hooks: [refusal] }] }
  await writeFile(path.join(config, "docket.json"), JSON.stringify({ hooks }))
  const env = { PATH: process.env.PATH, HOME: directory }
  const service = await startService(env, { data, project })
  onTestFinished(service.stop)
  const client = createDocketClient({ url: service.address, token: service.token })
  const [opened] = await client.project.list.query()
  const older = await client.session.create.mutate({ projectID: opened?.id ?? "" })

  const run = async (...args: string[]) => {
    const all = [cli, "run", ...args, "--project", project, "--data", data]
    const child = spawn(process.execPath, all, { env, stdio: ["ignore", "ignore", "pipe"] })
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")])
    return { said, code }
  }
  expect(await run("hello")).toEqual({ code: 2, said: expect.stringContaining("not today") })
  expect(await run("hello", "--session", older.id)).toMatchObject({ code: 2 })
  const left = await client.session.list.query({})
  expect(left.items.map(({ session }) => session.id)).toEqual([older.id])
})
