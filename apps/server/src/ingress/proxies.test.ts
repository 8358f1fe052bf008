import { mkdtempSync, rmSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { request } from "node:https"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sessionID, shareSecret } from "../test/fake-runtime.ts"
import { canMakeCertificates } from "../test/make-certificate.ts"
import { hasProxy, type ProxyProcess, startProxy } from "../test/proxy-process.ts"
import { startTestService, type TestService } from "../test/start-test-service.ts"

const name = "docket.example.org"
/** With a port, which the proxy has to pass on too. */
const host = `${name}:8443`
const url = `https://${host}`
const json = { "content-type": "application/json" }

describe.for(["nginx", "caddy"] as const)("behind %s", (kind) => {
  const missing = hasProxy(kind) && canMakeCertificates ? null : `${kind} and openssl are not both on this machine`
  let directory: string
  let service: TestService
  let proxy: ProxyProcess

  beforeAll(async () => {
    if (missing !== null) return
    directory = mkdtempSync(path.join(tmpdir(), `docket-${kind}-`))
    const reach = { tls: null, trustProxy: ["127.0.0.1"], insecureHttp: false }
    service = await startTestService({ publicUrl: url, reach })
    proxy = await startProxy(kind, { directory, servicePort: service.port })
  })
  afterAll(async () => {
    await proxy?.stop()
    await service?.remove()
    if (directory) rmSync(directory, { recursive: true })
  })

  interface Call {
    /** Address of the client. */
    from?: string
    method?: string
    headers?: Record<string, string>
    body?: string
  }

  /** Connects from another local address, like a remote client. */
  function open(
    address: string,
    { from = "127.0.0.2", method = "GET", headers = {}, body }: Call = {},
  ): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const to = { host: "127.0.0.1", localAddress: from, port: proxy.port, servername: name, ca: proxy.ca }
    const req = request({ ...to, path: address, method, headers: { host, ...headers }, agent: false }, resolve)
    req.on("error", reject).end(body)
    return promise
  }
  async function ask(address: string, call?: Call) {
    const res = await open(address, call)
    return { status: res.statusCode, headers: res.headers, body: await text(res) }
  }
  const bearer = () => ({ authorization: `Bearer ${service.token}` })

  it("signs in by a link; its cookie works for calls and pages", async ({ skip }) => {
    if (missing !== null) skip(missing)
    const page = await ask("/s/x", { headers: { accept: "text/html" } })
    expect([page.status, page.headers.location]).toEqual([302, "/login?next=%2Fs%2Fx"])
    expect(page.headers["strict-transport-security"]).toBe("max-age=31536000")
    const body = JSON.stringify({ code: new URL(service.loginUrl).hash.slice(1) })
    const login = await ask("/api/login", { method: "POST", headers: { ...json, origin: url }, body })
    expect(login.status).toBe(200)
    const [cookie = ""] = login.headers["set-cookie"] ?? []
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; .*; Secure$/)
    const headers = { cookie: cookie.split(";")[0] ?? "" }
    expect((await ask("/api/trpc/project.list", { headers })).status).toBe(200)
  })

  it("forwards each event at once and leaves streams uncompressed", async ({ skip }) => {
    if (missing !== null) skip(missing)
    for (const address of [
      `/api/share/${shareSecret}/events?since=5`,
      `/api/trpc/event.subscribe?input=${encodeURIComponent(JSON.stringify({ rootID: sessionID }))}`,
    ]) {
      const stream = await open(address, { headers: { ...bearer(), "accept-encoding": "gzip, br" } })
      expect([stream.statusCode, stream.headers["content-encoding"]]).toEqual([200, undefined])
      const chunks = stream.setEncoding("utf8")[Symbol.asyncIterator]()
      let seen = ""
      const until = async (words: string) => {
        while (!seen.includes(words)) {
          const { value, done } = await chunks.next()
          if (done) throw new Error(`the stream ended without ${words}: ${seen}`)
          seen += value
        }
      }
      // The stream is open when the first event has arrived.
      await until("\n\n")
      for (const offset of [0, 1, 2]) {
        service.runtime.emit({
          type: "message.part.delta",
          rootID: sessionID,
          seq: null,
          properties: { sessionID, messageID: "msg", partID: "prt", offset, text: "x" },
        })
        await until(`"offset":${offset}`)
      }
      stream.destroy()
    }
  })

  it("knows clients by their own address, whatever they claim", async ({ skip }) => {
    if (missing !== null) skip(missing)
    service.runtime.links.unlock = async () => null
    const form = { "content-type": "application/x-www-form-urlencoded", origin: url }
    const claims = { "x-forwarded-for": "1.2.3.4, 127.0.0.1", forwarded: "for=1.2.3.4", "x-real-ip": "1.2.3.4" }
    const guess = (from: string, headers = {}) =>
      ask(`/share/${shareSecret}`, { from, method: "POST", headers: { ...form, ...headers }, body: "password=x" })
    for (let tries = 0; tries < 10; tries += 1) expect((await guess("127.0.0.2")).status).toBe(303)
    expect((await guess("127.0.0.2", claims)).status).toBe(429)
    expect((await guess("127.0.0.3")).status).toBe(303)
  })

  it("keeps the browser's own origin and still refuses other sites", async ({ skip }) => {
    if (missing !== null) skip(missing)
    const post = (headers: Record<string, string>) =>
      ask("/api/trpc/provider.refresh", { method: "POST", headers: { ...json, ...bearer(), ...headers } })
    const own = await post({ origin: url })
    const others = [
      await post({ origin: "https://evil.example" }),
      await post({ origin: "https://evil.example", "x-forwarded-host": "evil.example" }),
      await post({ origin: `http://${host}` }),
    ]
    expect(own.status).toBe(200)
    expect(others.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await post({ "x-forwarded-proto": "http" })).status).toBe(200)
  })

  it("sends long answers compressed", async ({ skip }) => {
    if (missing !== null) skip(missing)
    const tree = { seq: 5, sessions: [], todos: {}, permissions: [], turns: [], tasks: [] }
    const todos = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`ses_${n}`, []]))
    service.runtime.session.tree = async () => ({ ...tree, todos })
    const input = encodeURIComponent(JSON.stringify({ sessionID }))
    const headers = { ...bearer(), "accept-encoding": "gzip" }
    const res = await open(`/api/trpc/session.tree?input=${input}`, { headers })
    expect(res.headers["content-encoding"]).toBe("gzip")
    const chunks = await res.toArray()
    expect(JSON.parse(String(gunzipSync(Buffer.concat(chunks)))).result.data.todos).toEqual(todos)
  })

  it("refuses requests that do not come through the proxy", async ({ skip }) => {
    if (missing !== null) skip(missing)
    const direct = (headers: Record<string, string>) => service.call("/api/health", { headers: { host, ...headers } })
    expect((await direct({})).status).toBe(403)
    expect((await direct({ "x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1" })).status).toBe(403)
    expect((await ask("/api/health", { headers: { host: "evil.example" } })).body).not.toContain("version")
  })
})
