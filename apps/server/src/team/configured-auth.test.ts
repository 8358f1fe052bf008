import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { startServiceProcess } from "../test/service-process.ts"

const url = "https://docket.example.org"

interface More {
  project?: object
  env?: Record<string, string>
  team?: object
}

async function start(own: object, { project = {}, env = {}, team }: More = {}) {
  const home = await mkdtemp(path.join(tmpdir(), "docket-auth-"))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const places = [path.join(home, ".config/docket"), path.join(home, "project")] as const
  for (const [place, config] of [[places[0], own] as const, [places[1], project] as const]) {
    await mkdir(place, { recursive: true })
    await writeFile(path.join(place, "docket.json"), JSON.stringify(config))
  }
  const data = path.join(home, "data")
  await mkdir(data)
  if (team) await writeFile(path.join(data, "team.json"), JSON.stringify(team))
  const service = await startServiceProcess({
    home,
    data,
    project: places[1],
    env,
  }).catch((error: unknown) => String(error))
  if (typeof service === "string") return service
  await service.kill()
  return service.log()
}

it("only the user's own docket.json enables a team, not a project's", async () => {
  const address = { DOCKET_URL: "http://127.0.0.1:4180" }
  expect(await start({ auth: "team" }, { env: address })).toContain(`accounts: a team at ${address.DOCKET_URL}`)
  expect(await start({}, { project: { auth: "team" }, env: address })).not.toContain("accounts: a team")
  expect(await start({ auth: "local" }, { env: address })).not.toContain("accounts: a team")
  expect(await start({ auth: "team" }, { env: { ...address, DOCKET_AUTH: "local" } })).not.toContain("accounts: a team")
})

it("a missing team address is reported; without a team Docket stays local", async () => {
  expect(await start({ auth: "team" })).toContain("docket team init --url")
  expect(await start({}, { env: { DOCKET_URL: url } })).not.toContain("accounts: a team")
})

it("contradicting docket.json and team.json are refused unless the environment decides", async () => {
  const team = { url: "http://127.0.0.1:4180" }
  const refused = await start({ auth: "local" }, { team })
  expect(refused).toContain('your own docket.json says "auth": "local"')
  expect(refused).toContain("DOCKET_AUTH=local")
  const accounts = `accounts: a team at ${team.url}`
  for (const own of [{}, { auth: "team" }]) expect(await start(own, { team })).toContain(accounts)
  expect(await start({ auth: "local" }, { team, env: { DOCKET_AUTH: "team" } })).toContain(accounts)
  const local = await start({ auth: "local" }, { team, env: { DOCKET_AUTH: "local" } })
  expect(local).toContain("listening on")
  expect(local).not.toContain("accounts: a team")
})
