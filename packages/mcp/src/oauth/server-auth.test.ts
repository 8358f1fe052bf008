import { randomBytes } from "node:crypto"
import { createInMemoryDatabase } from "@docket/core/store"
import { memoryVault } from "@docket/core/test/memory-vault"
import { nodeTimers } from "@docket/core/timers"
import { createRowVault, createSeal } from "@docket/core/vault"
import { expect, onTestFinished, test } from "vitest"
import { startSignInServer } from "../test/sign-in-server.ts"
import { createServerAuth } from "./server-auth.ts"
import { createSignInFlows } from "./sign-in-flows.ts"
import { createSignInStore } from "./sign-in-store.ts"

test("a refresh token goes to no other authorization server", async () => {
  const url = new URL("https://crm.example.com/mcp")
  const key = { server: "crm", url: url.href, projectID: null, person: null }
  const store = createSignInStore(memoryVault(), key)
  const issuer = "https://first.example.com"
  await store.update({
    client: { client_id: "docket", issuer },
    tokens: { access_token: "a", refresh_token: "r", token_type: "Bearer", issuer },
    expiresAt: 0,
    discovery: { authorizationServerUrl: "https://second.example.com" },
  })
  const asked: string[] = []
  const fetch = async (address: string | URL) => {
    asked.push(String(address))
    return new Response("{}")
  }
  const deps = { store, clock: () => 1, refreshing: new Map<string, Promise<void>>(), fetch }
  const auth = createServerAuth(deps, { server: "crm", url, config: {} })
  await expect(auth.token()).rejects.toThrow("it signs in at another place now (https://second.example.com)")
  expect(asked).toEqual([])
})

/** A server at which somebody has signed in, and nodes that share the sign-in. */
async function signedIn(nodeCount: number) {
  // A token that ends at once is renewed at each call.
  const server = await startSignInServer({ expiresIn: 1 })
  const [{ secrets }, seal] = [createInMemoryDatabase(), createSeal(randomBytes(32))]
  const url = new URL(server.url)
  const nodes = Array.from({ length: nodeCount }, () => {
    const vault = createRowVault({ secrets, seal, timers: nodeTimers, now: () => performance.now() }, "local")
    const store = createSignInStore(vault, { server: "crm", url: url.href, projectID: null, person: null })
    const deps = { store, clock: Date.now, refreshing: new Map<string, Promise<void>>(), fetch }
    return { vault, store, auth: createServerAuth(deps, { server: "crm", url, config: {} }) }
  })
  const [first] = nodes
  if (first === undefined) throw new Error("there is no node")
  const flows = createSignInFlows({ vault: first.vault, timers: nodeTimers, clock: Date.now })
  onTestFinished(() => flows.close())
  const target = { server: "crm", url, config: {}, store: first.store, fetch }
  const { address } = await flows.begin(target, { by: "ann", method: "browser", onDone: () => {} })
  const page = await fetch(address, { redirect: "manual" })
  await flows.finish(target, "ann", page.headers.get("location") ?? "")
  return { server, nodes }
}

test("nodes that need a token at once renew it once", async () => {
  const { server, nodes } = await signedIn(3)
  const before = server.asked("POST /token")
  const held = server.holdTokens()
  const tokens = nodes.flatMap(({ auth }) => [auth.token(), auth.token()])
  await held.asked
  // By now, each has seen that the token ends.
  for (const { store } of nodes) await store.get()
  held.release()
  const given = new Set(await Promise.all(tokens))
  expect(server.asked("POST /token") - before).toBe(1)
  expect([...given]).toEqual([(await nodes[2]?.store.get())?.tokens?.access_token])
})

test("a node goes on where another could not renew a token", async () => {
  const { server, nodes } = await signedIn(2)
  const [one, two] = nodes
  server.state.isDown = true
  await expect(one?.auth.token()).rejects.toThrow("could not be renewed")
  server.state.isDown = false
  const before = (await two?.store.get())?.tokens?.access_token
  expect(await two?.auth.token()).not.toBe(before)
})
