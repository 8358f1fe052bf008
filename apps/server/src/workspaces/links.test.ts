import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type OpenedService, startOpenedService } from "../test/start-opened-service.ts"

const password = "correct horse battery"
let service: OpenedService
/** The parent directory of both workspaces' roots. */
let base: string
/** The secrets of links by workspace: under `acme` of an open one, under `acme locked` and `acme revoked` of others. */
const secrets = new Map<string, string>()
const unknownSecret = "a".repeat(22)

beforeAll(async () => {
  service = await startOpenedService()
  base = await realpath(await mkdtemp(path.join(tmpdir(), "docket-links-")))
  for (const id of ["acme", "globex"]) {
    const directory = path.join(base, id)
    await mkdir(directory)
    await writeFile(path.join(directory, "notes.md"), `Notes of ${id}.\n`)
    await service.opened.workspaces.create(id)
    const runtime = await service.opened.workspaces.runtime(id)
    const useCases = runtime?.as({ person: `of ${id}`, workspace: id })
    await useCases?.workspace.update({ roots: [directory] })
    const project = await useCases?.project.open({ directory })
    const session = await useCases?.session.create({ projectID: project?.id ?? "", title: `Session of ${id}` })
    const made = await useCases?.share.create({ rootID: session?.id ?? "" })
    secrets.set(id, secretOf(made))
    const locked = await useCases?.share.create({ rootID: session?.id ?? "", password })
    secrets.set(`${id} locked`, secretOf(locked))
    const revoked = await useCases?.share.create({ rootID: session?.id ?? "" })
    await useCases?.share.revoke({ shareID: revoked?.id ?? "" })
    secrets.set(`${id} revoked`, secretOf(revoked))
  }
})
afterAll(async () => {
  await service.remove()
  await rm(base, { recursive: true, force: true })
})

const secretOf = (made: { url: string } | undefined) => made?.url.slice("/share/".length) ?? ""

const read = (secret: string, rest = "", headers = {}) =>
  fetch(`${service.url}/api/share/${secret}${rest}`, { headers })

it("a link works for any workspace; all invalid secrets look the same", async () => {
  for (const id of ["acme", "globex"]) {
    const secret = secrets.get(id) ?? ""
    for (const rest of ["", ".md", ".json"]) {
      const answer = await read(secret, rest)
      expect([rest, answer.status]).toEqual([rest, 200])
      expect(await answer.text()).toContain(`Session of ${id}`)
    }
    const stream = await read(secret, "/events")
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"])
    await stream.body?.cancel()
  }
  const answers = await Promise.all(
    [unknownSecret, ...["acme locked", "acme revoked", "globex revoked"].map((name) => secrets.get(name) ?? "")].map(
      async (secret) => {
        const answer = await read(secret)
        return [answer.status, await answer.text()]
      },
    ),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.[0]).toBe(404)
})

it("the password of a link in any workspace opens only that link", async () => {
  const unlock = async (secret: string, given: string) => {
    const answer = await fetch(`${service.url}/share/${secret}`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ password: given }),
    })
    return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(";")[0] }
  }
  const secret = secrets.get("globex locked") ?? ""
  for (const [target, given] of [
    [secret, "wrong"],
    [unknownSecret, password],
    [secrets.get("acme revoked") ?? "", password],
  ] as const)
    expect(await unlock(target, given)).toEqual({ status: 303, cookie: undefined })
  const { cookie } = await unlock(secret, password)
  expect((await read(secret, "", { cookie })).status).toBe(200)
  expect((await read(secrets.get("acme locked") ?? "", "", { cookie })).status).toBe(404)
})
