import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { canMakeCertificates } from "../test/make-certificate.ts"
import { hasProxy, type ProxyProcess, startProxy } from "../test/proxy-process.ts"
import { sendByTls } from "./test/send-by-tls.ts"
import { ada, adasSignIn, startTeamService, type TeamService } from "./test/start-team-service.ts"
import { createTeamBrowser, type TeamBrowser } from "./test/team-browser.ts"
import { callProcedure } from "./test/team-calls.ts"

/** With a port, which is part of links and of Origin too. */
const url = "https://docket.example.org:8443"
const signIn = { perAccountAndPlace: 3, perPlace: 5 }

/** The configuration files in `deploy/`, run by the real programs. */
describe.for(["nginx", "caddy"] as const)("a team behind %s", (kind) => {
  const missing = hasProxy(kind) && canMakeCertificates ? null : `${kind} and openssl are not both on this machine`
  let directory: string
  let service: TeamService
  let proxy: ProxyProcess
  let owner: TeamBrowser
  let bob: TeamBrowser

  beforeAll(async () => {
    if (missing !== null) return
    directory = mkdtempSync(path.join(tmpdir(), `docket-team-${kind}-`))
    const reach = { tls: null, trustProxy: ["127.0.0.1"], insecureHttp: false }
    service = await startTeamService({ url, limits: { signIn } }, [], reach)
    proxy = await startProxy(kind, { directory, servicePort: service.port })
  })
  afterAll(async () => {
    await proxy?.stop()
    await service?.remove()
    if (directory) rmSync(directory, { recursive: true })
  })

  const browserAt = (from: string) =>
    createTeamBrowser(url, { send: (address, init) => sendByTls(address, init, { ...proxy, from }) })
  const password = "Bob has a password"

  it("the first owner signs in by link with a host-only TLS cookie", async ({ skip }) => {
    if (missing !== null) skip(missing)
    expect(service.loginUrl).toMatch(new RegExp(`^${url}/welcome#`))
    owner = browserAt("127.0.0.2")
    const made = await owner.post("/api/auth/first-owner", { secret: service.firstSecret, ...ada })
    expect([made.status, made.headers.get("strict-transport-security")]).toEqual([200, "max-age=31536000"])
    const [cookie = "", ...others] = made.headers.getSetCookie()
    expect(others).toEqual([])
    expect(cookie).toMatch(/^__Host-docket\.session_token=[^;]+;/)
    const flags = cookie
      .split("; ")
      .slice(1)
      .map((flag) => flag.toLowerCase())
    expect(flags).toEqual(expect.arrayContaining(["path=/", "secure", "httponly", "samesite=lax"]))
    expect(flags.join()).not.toContain("domain")
    expect((await callProcedure(owner, "me.get")).data).toMatchObject({ name: "Ada", role: "owner" })
    // Only pages of the address with the port may call.
    const elsewhere = { origin: "https://docket.example.org", "sec-fetch-site": "cross-site" }
    expect((await owner.post("/api/auth/sign-out", {}, elsewhere)).status).toBe(403)
  })

  it("an invited person joins by link and is listed with their address", async ({ skip }) => {
    if (missing !== null) skip(missing)
    const invited = await callProcedure(owner, "team.invite", { email: "bob@example.org", role: "member" })
    const link = new URL((invited.data as { url: string }).url)
    expect(link.origin + link.pathname).toBe(`${url}/join`)
    bob = browserAt("127.0.0.3")
    const secret = link.hash.slice(1)
    expect((await bob.post("/api/auth/invitation/accept", { secret, name: "Bob", password })).status).toBe(200)
    expect((await callProcedure(bob, "me.get")).data).toMatchObject({ name: "Bob", role: "member" })
    expect((await callProcedure(bob, "team.signIns")).data).toMatchObject([{ address: "127.0.0.3", isCurrent: true }])
  })

  it("events arrive one by one; the stream of a removed person ends", async ({ skip }) => {
    if (missing !== null) skip(missing)
    const [project] = (await callProcedure(owner, "project.list")).data as { id: string }[]
    const made = await callProcedure(owner, "session.create", { projectID: project?.id })
    const sessionID = (made.data as { id: string }).id
    const input = encodeURIComponent(JSON.stringify({ rootID: sessionID, since: 0 }))
    const stream = await bob.get(`/api/trpc/event.subscribe?input=${input}`, {
      accept: "text/event-stream",
      "accept-encoding": "gzip, br",
    })
    expect([stream.status, stream.headers.get("content-encoding")]).toEqual([200, null])
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ""
    const until = async (words: string) => {
      while (!heard.includes(words)) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) throw new Error(`the stream ended without ${words}: ${heard}`)
        heard += value
      }
    }
    await until("session.created")
    for (const title of ["first", "second", "third"]) {
      await callProcedure(owner, "session.update", { sessionID, title })
      await until(`"title":"${title}"`)
    }
    const members = (await callProcedure(owner, "team.members")).data as { person: string; email: string }[]
    const person = members.find(({ email }) => email === "bob@example.org")?.person
    expect((await callProcedure(owner, "team.remove", { person })).status).toBe(200)
    // A proxy ends the stream or breaks the connection: either counts as the end.
    const isOver = async () => (await reader?.read().catch(() => null))?.done ?? true
    while (!(await isOver()));
    expect((await callProcedure(bob, "me.get")).status).toBe(401)
  })

  it("sign-in tries are counted per client, despite forged headers", async ({ skip }) => {
    if (missing !== null) skip(missing)
    const [thief, neighbour] = [browserAt("127.0.0.4"), browserAt("127.0.0.5")]
    const wrong = (at: TeamBrowser, email: string, headers = {}) =>
      at.post("/api/auth/sign-in/email", { email, password: "a guess" }, headers)
    const statuses = async (tries: Promise<Response>[]) => (await Promise.all(tries)).map(({ status }) => status).sort()
    // First one account from one place, then different accounts from that place.
    expect(await statuses([0, 1, 2, 3].map(() => wrong(thief, ada.email)))).toEqual([401, 401, 401, 429])
    expect(await statuses(["x", "y", "z"].map((name) => wrong(thief, `${name}@example.org`)))).toEqual([401, 401, 429])
    for (const claim of ["9.9.9.9", "127.0.0.5", "9.9.9.9, 127.0.0.1"]) {
      const refused = await wrong(thief, "x@example.org", { "x-forwarded-for": claim, forwarded: `for=${claim}` })
      expect([claim, refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([claim, 429, true])
    }
    expect((await wrong(neighbour, ada.email)).status).toBe(401)
    expect((await neighbour.post("/api/auth/sign-in/email", adasSignIn)).status).toBe(200)
    expect((await callProcedure(neighbour, "me.get")).data).toMatchObject({ name: "Ada" })
  })
})
