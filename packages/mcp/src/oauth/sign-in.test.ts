import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { runServers } from "../test/run-servers.ts"
import { startSignInServer } from "../test/sign-in-server.ts"

const named = { kind: "mcp", name: "crm" } as const

async function open({ oauth, ...options }: Parameters<typeof startSignInServer>[0] & { oauth?: object } = {}) {
  const server = await startSignInServer(options)
  const config = { type: "remote", url: server.url, ...(oauth && { oauth }) }
  const servers = await runServers({ mcp: { crm: config } })
  const { extension } = servers.run.runtime
  const begin = async () => {
    const begun = await extension.signIn(servers.projectID, named, { method: "browser", forAll: false })
    if (begun === null) throw new Error("no sign-in began")
    return begun
  }
  return {
    ...{ server, ...servers, begin },
    /** Where the page of a sign-in sends the browser. */
    async pageOf({ address }: { address: string }) {
      const page = await fetch(address, { redirect: "manual" })
      return page.headers.get("location") ?? ""
    },
    finish: (address: string) => extension.finishSignIn(servers.projectID, named, address),
    async needsSignIn() {
      await servers.run.prompt("Hello")
      return servers.untilState("crm", ["needs-login"])
    },
    async signIn() {
      await this.needsSignIn()
      const begun = await begin()
      await this.finish(await this.pageOf(begun))
      await servers.untilState("crm", ["ready"])
    },
    async whoami() {
      await servers.call({ tool: "crm_whoami", input: {} })
      return servers.results.at(-1)
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe("a server that wants a sign-in", () => {
  it("says so, and works once somebody has signed in", async () => {
    const host = await open()
    expect((await host.needsSignIn()).error).toContain("nobody has signed in")
    const begun = await host.begin()
    expect(begun).toMatchObject({ code: null, isRedirected: true })
    const back = await host.pageOf(begun)
    // The browser is on this machine: it comes back by itself.
    const done = await fetch(back)
    expect([done.status, await done.text()]).toEqual([200, "Signed in. You can close this page.\n"])
    await host.untilState("crm", ["ready"])
    expect(await host.whoami()).toContain("ann")
    expect(host.server.asked("POST /register")).toBe(1)
  })

  it("takes the address from another machine, once", async () => {
    const host = await open()
    await host.needsSignIn()
    const back = await host.pageOf(await host.begin())
    await host.finish(`  ${back}\n`)
    await expect(host.finish(back)).rejects.toThrow("belongs to no sign-in that waits")
    expect(await host.whoami()).toContain("ann")
  })

  it("keeps the tokens encrypted and out of everything else", async () => {
    const host = await open()
    await host.signIn()
    expect(await host.whoami()).toContain("ann")
    const files = readdirSync(host.directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    expect(files.length).toBeGreaterThan(3)
    for (const file of files)
      expect(readFileSync(path.join(file.parentPath, file.name), "latin1")).not.toMatch(/access-|refresh-/)
    expect(JSON.stringify(await host.items())).not.toMatch(/access-|refresh-/)
  })

  it("is asked again by a new process with the same sign-in", async () => {
    const host = await open()
    await host.signIn()
    await host.run.runtime.extension.restart(host.projectID, named)
    expect(await host.whoami()).toContain("ann")
  })

  it("forgets it when somebody signs out", async () => {
    const host = await open()
    await host.signIn()
    await host.run.runtime.extension.signOut(host.projectID, named, { forAll: false })
    expect(await host.whoami()).toContain("needs a sign-in")
  })
})

describe("a sign-in that nobody finishes", () => {
  it("leaves the one that is kept as it is", async () => {
    const host = await open()
    await host.signIn()
    await host.begin()
    host.server.endTokens()
    expect(await host.whoami()).toContain("ann")
  })

  it("leaves the one that is kept when the authorization server is away", async () => {
    const named = { servers: null as string[] | null }
    const host = await open({
      resource: () => (named.servers === null ? {} : { authorization_servers: named.servers }),
    })
    await host.signIn()
    named.servers = ["http://127.0.0.1:1/"]
    await expect(host.begin()).rejects.toThrow()
    host.server.endTokens()
    expect(await host.whoami()).toContain("ann")
  })

  it("leaves the one that is kept when its code is wrong", async () => {
    const host = await open()
    await host.signIn()
    const back = new URL(await host.pageOf(await host.begin()))
    back.searchParams.set("code", "cut")
    await expect(host.finish(back.href)).rejects.toThrow()
    expect(await host.whoami()).toContain("ann")
  })

  it.each([{}, { callbackPort: true }])("does not keep another from its end: %j", async ({ callbackPort = false }) => {
    const host = await open(callbackPort ? { oauth: { callbackPort: await freePort() } } : {})
    await host.needsSignIn()
    const [first] = [await host.begin(), await host.begin()]
    const done = await fetch(await host.pageOf(first))
    expect(await done.text()).toBe("Signed in. You can close this page.\n")
    await host.untilState("crm", ["ready"])
    expect(await host.whoami()).toContain("ann")
  })
})

it("who signs out while the token is renewed is signed out", async () => {
  const host = await open()
  await host.signIn()
  host.server.endTokens()
  const renewal = host.server.holdTokens()
  const asked = host.whoami()
  await renewal.asked
  await host.run.runtime.extension.signOut(host.projectID, named, { forAll: false })
  renewal.release()
  await asked
  expect(await host.whoami()).toContain("needs a sign-in")
})

describe("a token", () => {
  it("that has ended is renewed by the call that needs it", async () => {
    const host = await open()
    await host.signIn()
    host.server.endTokens()
    expect(await host.whoami()).toContain("ann")
    expect(host.server.asked("POST /token")).toBe(2)
  })

  it("that ends soon is renewed before, once for many calls", async () => {
    const host = await open({ expiresIn: 1 })
    await host.signIn()
    const before = host.server.asked("POST /token")
    await host.call(...Array.from({ length: 4 }, () => ({ tool: "crm_whoami", input: {} })))
    expect(host.results.slice(-4).every((result) => result.includes("ann"))).toBe(true)
    expect(host.server.asked("POST /token")).toBeGreaterThan(before)
  })

  it("that cannot be renewed needs a new sign-in", async () => {
    const host = await open()
    await host.signIn()
    host.server.endSignIns()
    expect(await host.whoami()).toContain("needs a sign-in: the sign-in has ended")
    expect((await host.itemOf("crm"))?.state).toBe("needs-login")
  })

  it("stays while the authorization server is down", async () => {
    const host = await open()
    await host.signIn()
    host.server.endTokens()
    host.server.state.isDown = true
    expect(await host.whoami()).toContain("could not be renewed")
    host.server.state.isDown = false
    await host.run.runtime.extension.restart(host.projectID, named)
    expect(await host.whoami()).toContain("ann")
  })

  it("with too few rights leads to a sign-in that asks for more", async () => {
    const host = await open()
    await host.signIn()
    host.server.state.wantedScope = "write"
    expect(await host.whoami()).toContain("wants more rights (write)")
    const begun = await host.begin()
    expect(new URL(begun.address).searchParams.get("scope")?.split(" ").sort()).toEqual(["read", "write"])
    await host.finish(await host.pageOf(begun))
    expect(await host.whoami()).toContain("ann")
  })
})

describe("a sign-in on another device", () => {
  const metadata = (base: string) => ({ device_authorization_endpoint: `${base}/device` })
  const byDevice = { method: "device", forAll: false } as const

  it("shows a code and waits until it is typed", async () => {
    const host = await open({ metadata, pendingAnswers: 1 })
    await host.needsSignIn()
    const begun = await host.run.runtime.extension.signIn(host.projectID, named, byDevice)
    expect(begun).toMatchObject({ code: "ABCD-1234", isRedirected: false })
    await host.untilState("crm", ["ready"])
    expect(await host.whoami()).toContain("ann")
  })

  it("is refused where the metadata does not name it", async () => {
    const host = await open()
    await host.needsSignIn()
    const begun = host.run.runtime.extension.signIn(host.projectID, named, byDevice)
    await expect(begun).rejects.toThrow("has no way for another device")
  })
})

describe("an attack on a sign-in", () => {
  it("by an answer of another sign-in is refused", async () => {
    const [host, other] = [await open(), await open()]
    await host.needsSignIn()
    await other.needsSignIn()
    await host.begin()
    const foreign = await other.pageOf(await other.begin())
    await expect(host.finish(foreign)).rejects.toThrow("belongs to no sign-in that waits")
    expect((await host.itemOf("crm"))?.state).toBe("needs-login")
  })

  it("by metadata that names another issuer is refused", async () => {
    const host = await open({ metadata: () => ({ issuer: "https://evil.example.org" }) })
    await host.needsSignIn()
    await expect(host.begin()).rejects.toThrow(/issuer/i)
    expect(host.server.asked("POST /register")).toBe(0)
  })

  it("by a resource that is another server is refused", async () => {
    const host = await open({ resource: () => ({ resource: "https://bank.example.org/mcp" }) })
    await host.needsSignIn()
    await expect(host.begin()).rejects.toThrow(/resource/i)
  })

  it("by a page that is no web address is refused", async () => {
    const host = await open({ metadata: () => ({ authorization_endpoint: "javascript:alert(1)" }) })
    await host.needsSignIn()
    await expect(host.begin()).rejects.toThrow()
  })

  it("by an authorization server in a private network is refused", async () => {
    const host = await open({ resource: () => ({ authorization_servers: ["http://10.1.2.3/"] }) })
    await host.needsSignIn()
    await expect(host.begin()).rejects.toThrow("10.1.2.3 is not on the public internet")
  })

  it("by another authorization server gets no refresh token of the first", async () => {
    const other = await startSignInServer()
    const named = { resource: null as string | null }
    const host = await open({
      resource: () => (named.resource === null ? {} : { authorization_servers: [named.resource] }),
    })
    await host.signIn()
    named.resource = other.base
    await host.begin()
    host.server.endTokens()
    expect(await host.whoami()).toContain("ann")
    expect(other.asked("POST /token")).toBe(0)
  })

  it.each([
    { grant: "client_credentials", clientId: "me", clientSecret: "secret" },
    { clientId: "me", clientSecret: "secret" },
  ])("by a foreign authorization server gets no secret of the configuration: %j", async (oauth) => {
    const named = (base: string) => base.replace("127.0.0.1", "localhost")
    const other = await startSignInServer({ metadata: (base) => ({ issuer: named(base) }) })
    const foreign = named(other.base)
    const host = await open({ oauth, resource: () => ({ authorization_servers: [foreign] }) })
    await host.run.prompt("Hello")
    const item = await host.untilState("crm", ["needs-login", "failed"])
    const said = item.state === "failed" ? item.error : await host.begin().catch((error: Error) => error.message)
    expect(said).toContain("not of its own domain")
    expect(other.asked("POST /token")).toBe(0)
  })

  it("by a visitor of the port that it waits at does nothing", async () => {
    const host = await open()
    await host.needsSignIn()
    const begun = await host.begin()
    const port = new URL(new URL(begun.address).searchParams.get("redirect_uri") ?? "").port
    const visit = async (query: string) => (await fetch(`http://127.0.0.1:${port}/callback${query}`)).status
    expect([await visit(""), await visit("?state=guess&code=evil")]).toEqual([404, 404])
    await host.finish(await host.pageOf(begun))
    expect(await host.whoami()).toContain("ann")
  })

  it("by a redirect of the token's address sends the code nowhere", async () => {
    const seen: string[] = []
    const thief = createServer((request, response) => {
      seen.push(request.url ?? "")
      response.end("{}")
    })
    await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void thief.close())
    const { port } = thief.address() as AddressInfo
    const redirecting = createServer((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/steal` }).end()
    })
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void redirecting.close())
    const token = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/token`
    const host = await open({ metadata: () => ({ token_endpoint: token }) })
    await host.needsSignIn()
    await expect(host.begin().then(host.pageOf).then(host.finish)).rejects.toThrow()
    expect(seen).toEqual([])
  })
})

describe("the configuration of a sign-in", () => {
  it("may name the port, and says when it is taken", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const host = await open({ oauth: { callbackPort: port } })
    await host.needsSignIn()
    await expect(host.begin()).rejects.toThrow(`Port ${port} is not free`)
  })

  it("may turn it off", async () => {
    const server = await startSignInServer()
    const servers = await runServers({ mcp: { crm: { type: "remote", url: server.url, oauth: false } } })
    await servers.run.prompt("Hello")
    await servers.untilState("crm", ["failed"])
    expect(server.requests.filter((line) => !line.includes("/mcp"))).toEqual([])
  })
})
