import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createIdSource, createProviders, createRuntime, createTenants, rehearsalLoader } from "@docket/core"
import { createInMemoryDatabase } from "@docket/core/store"
import { noPrograms } from "@docket/core/test/no-programs"
import { oneNode } from "@docket/core/test/one-node"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Service, startService } from "./start-service.ts"
import { onlyFirst } from "./test/only-first.ts"

const password = "correct horse battery"
let directory: string
let service: Service
let rootID: string
let token: string
let login: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-share-access-"))
  const data = path.join(directory, "data")
  service = await startService(
    { projects: [directory], port: 0, host: "127.0.0.1", data, web: false, trust: false },
    {
      async openRuntime({ data: dataDirectory, onError }) {
        const database = createInMemoryDatabase()
        const deps = { createID: createIdSource(), clock: Date.now, onError }
        const runtime = await createRuntime({
          ...deps,
          programs: noPrograms,
          store: database.store("local"),
          providers: createProviders({ dataDirectory, env: {}, loadRehearsal: rehearsalLoader(0) }),
          random: () => 0,
          dataDirectory,
          home: directory,
          env: {},
          platform: process.platform,
          providerTimeoutMs: 60_000,
        })
        const tenants = createTenants({ ...deps, database, local: { id: "local", runtime } })
        return {
          runtime,
          nodes: oneNode(database),
          tenants,
          workspaces: onlyFirst(runtime),
          warmUp: async () => undefined,
        }
      },
      report: () => undefined,
      log: (text, error) => expect.fail(`${text}: ${String(error)}`),
    },
  )
  token = (await readFile(service.tokenFile, "utf8")).trim()
  const code = service.loginUrl.split("#")[1]
  const answer = await post("/api/login", { code })
  login = cookiesOf(answer)
  const project = await call("project.open", { directory })
  rootID = (await call("session.create", { projectID: project.id, title: "Fix the tests" })).id
})
afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

function post(address: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  return fetch(service.url + address, { method: "POST", headers, body: JSON.stringify(body) })
}

async function call(procedure: string, input: object) {
  const { result } = JSON.parse(await (await post(`/api/trpc/${procedure}`, input)).text())
  return result.data
}

async function share(choice: object): Promise<{ id: string; secret: string }> {
  const { id, url } = await call("share.create", { rootID, ...choice })
  return { id, secret: new URL(url).pathname.split("/")[2] ?? "" }
}

async function list(): Promise<{ id: string; views: number }[]> {
  const input = encodeURIComponent(JSON.stringify({ rootID }))
  const headers = { authorization: `Bearer ${token}` }
  const { result } = JSON.parse(
    await (await fetch(`${service.url}/api/trpc/share.list?input=${input}`, { headers })).text(),
  )
  return result.data
}

/** The cookies that an answer sets, in the form in which a browser sends them. */
function cookiesOf(answer: Response): string {
  return (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? ""
}

/** Reads a link as the web app does. */
const open = (secret: string, cookie = "", route = "") =>
  fetch(`${service.url}/api/share/${secret}${route}`, { headers: { cookie } })

/** Sends the form of a link with a password. */
const submit = (secret: string, given: string, { page = "share", ...more }: RequestInit & { page?: string } = {}) =>
  fetch(`${service.url}/${page}/${secret}?part=x`, {
    method: "POST",
    body: new URLSearchParams({ password: given }),
    redirect: "manual",
    ...more,
  })

it("the share form sets a link-only cookie and returns to the page", async () => {
  const { secret } = await share({ password })
  const answer = await submit(secret, password)
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/share/${secret}?part=x`])
  const cookies = answer.headers.getSetCookie()
  expect(cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1])).toEqual([
    `/share/${secret}`,
    `/embed/${secret}`,
    `/api/share/${secret}`,
    `/api/share/${secret}.md`,
    `/api/share/${secret}.json`,
  ])
  for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly; SameSite=Lax; Max-Age=43200$/)
  expect((await open(secret, cookiesOf(answer))).status).toBe(200)
  expect((await open((await share({ password })).secret, cookiesOf(answer))).status).toBe(404)
  const framed = await submit(secret, password, { page: "embed" })
  expect([framed.status, framed.headers.get("location")]).toEqual([303, `/embed/${secret}?part=x`])
  expect((await open(secret, cookiesOf(framed))).status).toBe(200)
})

it("all unusable links give the same answer, whatever the cause", async () => {
  const locked = await share({ password })
  const revoked = await share({})
  await call("share.revoke", { shareID: revoked.id })
  const expired = await share({ expires: 1 }).catch(() => ({ secret: "B".repeat(22) }))
  const internal = await share({ audience: "workspace" })
  const secrets = [locked.secret, revoked.secret, expired.secret, internal.secret, "A".repeat(22)]
  const answers = new Set<string>()
  const tries = new Set<string>()
  for (const secret of secrets) {
    for (const route of ["", "/events", `/session/${rootID}`]) {
      const answer = await open(secret, "", route)
      const { date: _, ...headers } = Object.fromEntries(answer.headers)
      answers.add(JSON.stringify([answer.status, headers, await answer.text()]))
    }
    const tried = await submit(secret, "wrong password")
    const { date: _, ...headers } = Object.fromEntries(tried.headers)
    tries.add(JSON.stringify([tried.status, headers, await tried.text()]).replaceAll(secret, "<secret>"))
  }
  expect([...answers]).toEqual([expect.stringContaining("404")])
  expect([...tries]).toEqual([expect.stringContaining("/share/<secret>?part=x&tried=1")])
})

it("a link for the workspace opens with the login cookie alone", async () => {
  const { secret } = await share({ audience: "workspace" })
  expect([(await open(secret, login)).status, (await open(secret)).status]).toEqual([200, 404])
})

it("a share stream ends with a notice when password or audience changes", async () => {
  for (const change of [{ password }, { audience: "workspace" }]) {
    const { id, secret } = await share({})
    const stream = await open(secret, "", "/events")
    expect(stream.status).toBe(200)
    await call("share.update", { shareID: id, ...change })
    expect(await stream.text()).toContain("event: revoked")
    expect((await open(secret, "", "/events")).status).toBe(404)
  }
})

it("the page of a link accepts only its own password form", async () => {
  const { secret } = await share({ password })
  const crossSite = await submit(secret, password, { headers: { "sec-fetch-site": "cross-site" } })
  const json = await submit(secret, "", { headers: { "content-type": "application/json" }, body: "{}" })
  expect([crossSite.status, json.status]).toEqual([403, 415])
})

it("the password form accepts share cookies, and login cookies only with origin", async () => {
  const { secret } = await share({ password })
  const first = await submit(secret, password)
  const again = await submit(secret, password, { headers: { cookie: cookiesOf(first) } })
  const withoutOrigin = await submit(secret, password, { headers: { cookie: `${cookiesOf(first)}; ${login}` } })
  const page = await submit(secret, password, { headers: { cookie: login, origin: service.url } })
  expect([first, again, withoutOrigin, page].map(({ status }) => status)).toEqual([303, 303, 403, 303])
})

it("readers do not learn a link's editors or its audience", async () => {
  const { id, secret } = await share({ audience: "workspace" })
  await call("share.update", { shareID: id, title: "For the team" })
  const { share: shown } = JSON.parse(await (await open(secret, login)).text())
  expect(Object.keys(shown).sort()).toEqual(
    ["author", "expires", "id", "indexed", "mode", "rootID", "shows", "time", "title"].sort(),
  )
})

it("a reader without scripts counts as a view, but only with access", async () => {
  const { id, secret } = await share({})
  const views = async () => (await list()).find((each) => each.id === id)?.views
  expect((await open(secret, "", "/visit")).status).toBe(204)
  expect(await views()).toBe(1)
  await call("share.update", { shareID: id, password })
  expect((await open(secret, "", "/visit")).status).toBe(404)
  expect(await views()).toBe(1)
})

// The last test, because it uses up the tries of this address.
it("after too many tries even the right password must wait", async () => {
  const { secret } = await share({ password })
  for (let count = 0; count < 10; count++) await submit(secret, "wrong password")
  /** Tries until one is refused: on a slow machine, more are needed, because some expire before all are used up. */
  const refused = async (linkSecret: string) => {
    for (let tries = 0; tries < 100; tries += 1) {
      const answer = await submit(linkSecret, tries === 0 ? password : "wrong password")
      if (answer.status !== 303) return answer
    }
    throw new Error("nothing was refused")
  }
  const told = new Set<string>()
  for (const each of [secret, (await share({})).secret, "A".repeat(22)]) {
    const answer = await refused(each)
    const { date: _, "retry-after": seconds = "", ...headers } = Object.fromEntries(answer.headers)
    const page = await answer.text()
    expect(Number(seconds)).toBeGreaterThan(0)
    expect(page).toContain(`You can try again in ${seconds === "1" ? "a second" : `${seconds} seconds`}.`)
    const same = page.replace(/again in .*\./, "again soon.").replaceAll(each, "<secret>")
    told.add(JSON.stringify([answer.status, headers["set-cookie"], headers["content-type"], same]))
  }
  const [only = "", ...others] = told
  expect(others).toEqual([])
  expect(only).toContain('[429,null,"text/html; charset=utf-8"')
  expect(only).toContain('href=\\"/share/<secret>?part=x\\"')
  expect(only).not.toContain("<script")
})
