import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { createIdSource } from "@docket/core"
import type { Session, SessionFile } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { type ServiceProcess, startServiceProcess } from "./test/service-process.ts"
import { startTestService, type TestService } from "./test/start-test-service.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.remove())

const project = "prj_000000000000AAAAAAAAAAAAAA"

it("import accepts only signed-in, same-site, binary uploads up to 64 MiB", async () => {
  const address = `/api/import?project=${project}`
  const bytes = { "content-type": "application/octet-stream" }
  const signedIn = { ...bytes, authorization: `Bearer ${service.token}` }
  const post = (headers: Record<string, string>, body = "{}") =>
    service.call(address, { method: "POST", headers, body })
  expect((await post(bytes)).status).toBe(401)
  expect((await post({ ...signedIn, "sec-fetch-site": "cross-site" })).status).toBe(403)
  expect((await post({ ...signedIn, "content-type": "text/plain" })).status).toBe(415)
  const tooLarge = await post(signedIn, "x".repeat(64 * 1024 * 1024 + 1))
  expect([tooLarge.status, tooLarge.body]).toEqual([413, expect.stringContaining("larger than 64 MiB")])
  const noProject = await service.call("/api/import", { method: "POST", headers: signedIn, body: "{}" })
  expect([noProject.status, noProject.body]).toEqual([400, expect.stringContaining("project")])
  expect((await service.call("/api/export/ses_x", { headers: signedIn })).status).toBe(400)
  expect((await service.call(`/api/export/ses_${"0".repeat(26)}`)).status).toBe(401)
})

/** A session file with this many messages. */
function largeFile(text: string, messages: number): SessionFile {
  const createID = createIdSource(() => 1_700_000_000_000)
  const file: SessionFile = JSON.parse(text)
  const [own] = file.sessions
  if (own === undefined) throw new Error("no session")
  const model = { providerID: "test", modelID: "model" }
  for (let nth = 0; nth < messages; nth++) {
    const id = createID("message")
    const place = { id: createID("part"), sessionID: own.session.id, messageID: id }
    own.messages.push({
      info: { id, sessionID: own.session.id, role: "user", agent: "build", model, time: { created: 1 } },
      parts: [{ ...place, type: "text", text: `message ${nth}` }],
    })
  }
  return file
}

it("a killed import leaves all or nothing and can be repeated", async () => {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), "docket-transfer-")))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const directory = path.join(home, "project")
  await mkdir(directory)
  const start = (data: string) => startServiceProcess({ home, data: path.join(home, data), project: directory })
  const here = await start("here")
  const [opened] = (await here.query("project.list")) as { id: string }[]
  const made = (await here.mutate("session.create", { projectID: opened?.id ?? "" })) as Session
  const { text } = (await here.query("transfer.export", { sessionID: made.id })) as { text: string }
  await here.kill()
  const count = 4_000
  const file = JSON.stringify(largeFile(text, count))
  let there: ServiceProcess = await start("there")
  onTestFinished(() => there.kill())
  const importFile = async () => {
    const [known] = (await there.query("project.list")) as { id: string }[]
    return there.mutate("transfer.import", { projectID: known?.id ?? "", file })
  }
  const messages = async () => {
    const found = there.query("session.messages", { sessionID: made.id, limit: 2_000 })
    return found.then(
      (page) => (page as { items: unknown[]; before: string | null }).items.length,
      () => null,
    )
  }
  // The service is killed early, in the middle and late in the import.
  for (const delay of [20, 200, 600]) {
    const importing = importFile().catch(() => null)
    await pause(delay)
    await there.kill()
    await importing
    there = await start("there")
    const found = await messages()
    // A page has at most 2,000 messages.
    if (found !== null) expect(found).toBe(2_000)
  }
  const last = await importFile().catch((error: Error) => error.message)
  if (typeof last === "string") expect(last).toContain("here already")
  const { text: again } = (await there.query("transfer.export", { sessionID: made.id })) as { text: string }
  const [whole] = (JSON.parse(again) as SessionFile).sessions
  expect(whole?.messages).toHaveLength(count)
})
