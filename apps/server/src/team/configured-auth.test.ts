import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { startServiceProcess } from "../test/service-process.ts"

const url = "https://docket.example.org"

async function start(own: object, { project = {}, env = {} }: { project?: object; env?: Record<string, string> } = {}) {
  const home = await mkdtemp(path.join(tmpdir(), "docket-auth-"))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const places = [path.join(home, ".config/docket"), path.join(home, "project")] as const
  for (const [place, config] of [[places[0], own] as const, [places[1], project] as const]) {
    await mkdir(place, { recursive: true })
    await writeFile(path.join(place, "docket.json"), JSON.stringify(config))
  }
  const service = await startServiceProcess({
    home,
    data: path.join(home, "data"),
    project: places[1],
    env,
  }).catch((error: unknown) => String(error))
  if (typeof service === "string") return service
  await service.kill()
  return service.log()
}

it("the user's own docket.json sets Docket up for a team, and no project's", async () => {
  const address = { DOCKET_URL: "http://127.0.0.1:4180" }
  expect(await start({ auth: "team" }, { env: address })).toContain(`accounts: a team at ${address.DOCKET_URL}`)
  expect(await start({}, { project: { auth: "team" }, env: address })).not.toContain("accounts: a team")
  expect(await start({ auth: "local" }, { env: address })).not.toContain("accounts: a team")
  expect(await start({ auth: "team" }, { env: { ...address, DOCKET_AUTH: "local" } })).not.toContain("accounts: a team")
})

it("says which address is missing, and stays on this machine when nothing says that there is a team", async () => {
  expect(await start({ auth: "team" })).toContain("docket team init --url")
  expect(await start({}, { env: { DOCKET_URL: url } })).not.toContain("accounts: a team")
})
