import { X509Certificate } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { connect } from "node:tls"
import { createManualTime } from "@docket/core/test/manual-time"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { shareSecret } from "../test/fake-runtime.ts"
import { canMakeCertificates, makeCertificate } from "../test/make-certificate.ts"
import { startTestService, type TestService } from "../test/start-test-service.ts"
import { datesProblem, readTlsPair } from "./tls-pair.ts"
import { lookEveryMs } from "./watch-tls-pair.ts"

const host = "docket.example.org"
const url = `https://${host}`
const json = { "content-type": "application/json" }

describe.skipIf(!canMakeCertificates)("a service that speaks TLS (skipped without openssl)", () => {
  let directory: string
  let service: TestService

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), "docket-tls-"))
    const tls = makeCertificate(directory, "first")
    service = await startTestService({ publicUrl: url, reach: { tls, trustProxy: [], insecureHttp: false } })
  })
  afterAll(async () => {
    await service.remove()
    rmSync(directory, { recursive: true })
  })

  /** Sends exactly these headers to the service, using the name in its certificate. */
  function ask(address: string, { method = "GET", headers = {}, body = "" } = {}) {
    const ca = readFileSync(path.join(directory, "first.crt"))
    const to = { host: "127.0.0.1", port: service.port, servername: host, ca, path: address, method }
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number | undefined
      headers: Record<string, unknown>
      body: string
    }>()
    const req = request({ ...to, headers: { host, ...headers } }, async (res) =>
      resolve({ status: res.statusCode, headers: res.headers, body: await text(res) }),
    )
    req.on("error", reject).end(body)
    return promise
  }

  it("sets a TLS-only cookie at sign-in and keeps browsers on TLS", async () => {
    expect(service.loginUrl).toMatch(/^https:\/\/docket\.example\.org\/login#/)
    const body = JSON.stringify({ code: new URL(service.loginUrl).hash.slice(1) })
    const login = await ask("/api/login", { method: "POST", headers: { ...json, origin: url }, body })
    expect(login.status).toBe(200)
    expect(String(login.headers["set-cookie"])).toMatch(/HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+; Secure$/)
    for (const address of ["/api/health", "/login", "/", "/api/nothing"])
      expect((await ask(address)).headers["strict-transport-security"]).toBe("max-age=31536000")
  })

  it("makes links with its public address", async () => {
    const headers = { ...json, authorization: `Bearer ${service.token}` }
    const { body } = await ask("/api/login-code", { method: "POST", headers })
    expect(JSON.parse(body).loginUrl).toMatch(/^https:\/\/docket\.example\.org\/login#/)
  })

  it("sends a link's pass only over TLS", async () => {
    service.runtime.links.unlock = async () => ({ pass: "right", seconds: 60 })
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: url }
    const { status, headers: answer } = await ask(`/share/${shareSecret}`, {
      method: "POST",
      headers,
      body: "password=x",
    })
    expect(status).toBe(303)
    for (const cookie of answer["set-cookie"] as string[]) {
      expect(cookie).toMatch(/^__Secure-docket_share=right; Path=\/\S+; HttpOnly; SameSite=Lax; Max-Age=60; Secure$/)
    }
  })

  it.each([
    ["with another host name", { host: "evil.example" }, 421],
    ["with the service's own address as host name", { host: "127.0.0.1" }, 421],
    ["from a page of another site", { origin: "https://evil.example" }, 403],
    ["from a page of plain HTTP", { origin: `http://${host}` }, 403],
    ["from a page of another port", { origin: `${url}:8443` }, 403],
    ["from a page without an origin", { origin: "null" }, 403],
    ["from a page of a sibling domain", { "sec-fetch-site": "same-site" }, 403],
    ["with a host name that only a proxy's header corrects", { host: "evil.example", "x-forwarded-host": host }, 421],
  ])("refuses a request %s", async (_, headers, status) => {
    const sent = { ...json, authorization: `Bearer ${service.token}`, ...headers }
    expect((await ask("/api/trpc/provider.refresh", { method: "POST", headers: sent })).status).toBe(status)
  })

  it("accepts no plain HTTP on its port", async () => {
    await expect(fetch(`http://127.0.0.1:${service.port}/api/health`)).rejects.toThrow("fetch failed")
  })

  it("reloads a renewed certificate and keeps it when the next is invalid", async () => {
    const time = createManualTime()
    const live = path.join(directory, "live")
    const files = { cert: `${live}.crt`, key: `${live}.key` }
    /** Changes symbolic links to other files, like renewal tools do. */
    const relink = (...which: { name: "cert" | "key"; to: string }[]) => {
      for (const { name, to } of which) {
        symlinkSync(to, `${files[name]}.new`)
        renameSync(`${files[name]}.new`, files[name])
      }
    }
    const [one, two, other] = ["one", "two", "other"].map((name) => makeCertificate(directory, `renewed-${name}`))
    if (!one || !two || !other) throw new Error("no certificates")
    relink({ name: "cert", to: one.cert }, { name: "key", to: one.key })
    const reach = { tls: files, trustProxy: [], insecureHttp: false }
    const renewing = await startTestService({ publicUrl: url, reach }, { timers: time.timers })
    onTestFinished(renewing.remove)
    const shown = async () => {
      const socket = connect({ host: "127.0.0.1", port: renewing.port, servername: host, rejectUnauthorized: false })
      await once(socket, "secureConnect")
      const { fingerprint256 } = socket.getPeerCertificate()
      socket.destroy()
      return fingerprint256
    }
    const fingerprintOf = ({ cert }: { cert: string }) => new X509Certificate(readFileSync(cert)).fingerprint256
    /** The messages after the next check of the files. */
    const look = async () => {
      const before = renewing.reported.length
      await time.pass(lookEveryMs)
      return renewing.reported.slice(before)
    }
    expect(await shown()).toBe(fingerprintOf(one))
    expect(await look()).toEqual([])

    relink({ name: "cert", to: two.cert })
    expect(await look()).toEqual([
      expect.stringMatching(/the one before stays: the key .* is not that of the certificate/),
    ])
    expect(await shown()).toBe(fingerprintOf(one))
    relink({ name: "key", to: two.key })
    expect(await look()).toEqual(["the certificate was renewed"])
    expect(await shown()).toBe(fingerprintOf(two))
    const ca = readFileSync(two.cert)
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const to = { host: "127.0.0.1", port: renewing.port, servername: host, ca, path: "/api/health", headers: { host } }
    request(to, (res) => resolve(res.resume().statusCode))
      .on("error", reject)
      .end()
    expect(await promise).toBe(200)

    writeFileSync(path.join(directory, "no-certificate"), "no certificate")
    for (const [bad, why] of [
      [path.join(directory, "no-certificate"), "is not one in PEM that can be used"],
      [path.join(directory, "nothing"), "cannot be read"],
      [other.cert, "is not that of the certificate"],
    ] as const) {
      relink({ name: "cert", to: bad })
      expect(await look()).toEqual([expect.stringContaining(why)])
      // Reported only once.
      expect(await look()).toEqual([])
      expect(await shown()).toBe(fingerprintOf(two))
    }
    relink({ name: "key", to: other.key })
    await look()
    expect(await shown()).toBe(fingerprintOf(other))
  })

  it("reports at startup what is wrong with certificate and key", () => {
    const [one, other] = [makeCertificate(directory, "one"), makeCertificate(directory, "other")]
    expect(() => readTlsPair({ cert: one.cert, key: other.key })).toThrow("is not that of the certificate")
    expect(() => readTlsPair({ cert: one.key, key: one.key })).toThrow("certificate")
    expect(() => readTlsPair({ cert: "/nowhere.crt", key: one.key })).toThrow("cannot be read: ENOENT")
    const pair = readTlsPair(one)
    expect(datesProblem(pair, Date.now() + 10 * 86_400_000)).toContain("renew it")
    expect(datesProblem(pair, 0)).toContain("is valid only from")
    expect(datesProblem(pair, Date.now())).toBeNull()
  })
})
