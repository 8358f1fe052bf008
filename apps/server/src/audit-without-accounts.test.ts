import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { AuditEntry } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { type ServiceProcess, startServiceProcess } from "./test/service-process.ts"
import { newSession } from "./test/service-sessions.ts"

let directory: string
let service: ServiceProcess
beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-audit-")))
  await mkdir(path.join(directory, "project"))
  service = await startServiceProcess(places())
})
afterAll(async () => {
  await service.end()
  await rm(directory, { recursive: true })
})

function places() {
  return { home: directory, data: path.join(directory, "data"), project: path.join(directory, "project") }
}

const Listed = z.object({ items: z.array(AuditEntry) })

async function entries(query: object = {}): Promise<AuditEntry[]> {
  return Listed.parse(await service.query("audit.list", query)).items
}

async function showLink(code: string): Promise<Response> {
  return await fetch(`${service.url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url },
    body: JSON.stringify({ code }),
  })
}

it("a service without accounts says who did what, also later", async () => {
  const code = service.loginUrl.split("#")[1] ?? ""
  const signedIn = await showLink(code)
  expect(signedIn.status).toBe(200)
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
  // The link is used up; of two tries one is written down.
  for (let tries = 0; tries < 2; tries += 1) expect((await showLink(code)).status).toBe(401)
  const sessionID = await newSession(service, places().project)
  const headers = { cookie, origin: service.url, "sec-fetch-site": "same-origin", "content-type": "application/json" }
  const renamed = await fetch(`${service.url}/api/trpc/session.update`, {
    ...{ method: "POST", headers, body: JSON.stringify({ sessionID, title: "Another name" }) },
  })
  expect(renamed.status).toBe(200)
  await fetch(`${service.url}/api/logout`, { method: "POST", headers })

  const told = (await entries()).map(({ act, person, via, credential }) => ({ act, as: person?.id, via, credential }))
  const you = { as: "local", via: "browser", credential: null }
  const program = { as: "local", via: "token", credential: "service" }
  expect(told).toEqual([
    { act: "sign-out", ...you },
    { act: "session.changed", ...you },
    { act: "session.started", ...program },
    { act: "project.opened", ...program },
    { act: "sign-in.failed", as: undefined, via: "browser", credential: null },
    { act: "sign-in", ...you },
  ])
  const [changed] = await entries({ act: "session.changed" })
  expect(changed).toMatchObject({ targets: { session: sessionID }, address: expect.stringContaining("127.0.0.1") })
  expect(JSON.stringify(await entries())).not.toContain("Another name")

  await service.kill()
  service = await startServiceProcess(places())
  expect((await entries()).length).toBe(told.length)
  const lines = await (await fetch(`${service.url}/api/audit?act=sign-in`, { headers: service.headers })).text()
  expect(lines.trim().split("\n")).toHaveLength(1)
})
