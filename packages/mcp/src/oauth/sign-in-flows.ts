import { randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { SecretFile } from "@docket/core/secret-file"
import type { BegunSignIn, McpOAuth } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import { auth, computeScopeUnion, type FetchLike } from "@modelcontextprotocol/client"
import { z } from "zod"
import { beginDeviceGrant } from "./device-grant.ts"
import { type BrowserFlow, createOAuthProvider } from "./oauth-provider.ts"
import type { SignInStore } from "./sign-in-store.ts"

export interface SignInFlowsDeps {
  secrets: SecretFile
  timers: Timers
  /** Epoch ms. */
  clock(): number
}

/** The server to sign in to. */
export interface SignInTarget {
  server: string
  url: URL
  config: McpOAuth
  store: SignInStore
  fetch: FetchLike
}

/** ms that a person has. */
const lifetime = 10 * 60_000

const Pending = z.object({
  version: z.literal(1),
  target: z.string(),
  redirectURL: z.string(),
  verifier: z.string(),
  expiresAt: z.number(),
})

export interface SignInFlows {
  /** Null when no person is needed. @throws Error with what the server or its sign-in said */
  begin(
    target: SignInTarget,
    choice: { method: "browser" | "device"; onDone(error: Error | null): void },
  ): Promise<BegunSignIn | null>
  /**
   * Ends it with the address to which the browser was sent.
   * @throws Error when the address is of no sign-in that waits, was used before, or says that it failed
   */
  finish(target: SignInTarget, redirected: string): Promise<void>
  close(): Promise<void>
}

/** Sign-ins of people. What a flow needs is kept in the data directory, so that another process can end it. */
export function createSignInFlows(deps: SignInFlowsDeps): SignInFlows {
  const { secrets, timers, clock } = deps
  const listeners = new Set<() => void>()
  const finish = async (target: SignInTarget, redirected: string) => {
    const { state, code, iss, failure } = readRedirect(redirected)
    const name = pendingName(state)
    const pending = Pending.safeParse(await secrets.get(name)).data
    // Whatever becomes of it, no answer counts twice.
    await secrets.remove(name)
    if (pending === undefined || pending.expiresAt < clock() || pending.target !== target.store.name)
      throw new Error("This address belongs to no sign-in that waits. Begin again.")
    if (failure !== null) throw new Error(`The sign-in was refused: ${failure}`)
    if (code === null) throw new Error("The address has no code. Copy it whole, from the browser's address bar.")
    const flow: BrowserFlow = {
      ...{ redirectURL: pending.redirectURL, state, verifier: pending.verifier },
      onVerifier: () => {},
      onAddress: () => {},
    }
    await auth(createOAuthProvider({ store: target.store, clock }, target.config, flow), {
      ...{ serverUrl: target.url, authorizationCode: code, fetchFn: target.fetch },
      ...(iss !== null && { iss }),
      skipIssuerMetadataValidation: target.config.skipIssuerCheck === true,
    })
  }
  return {
    async begin(target, { method, onDone }) {
      const { config, store, url, fetch } = target
      // Where it signs in may have changed.
      await store.update({ discovery: null })
      if (method === "device") {
        const device = await beginDeviceGrant({ timers, clock }, target, onDone)
        listeners.add(device.stop)
        return device.begun
      }
      const state = randomBytes(24).toString("base64url")
      const listener = await listen(config, {
        state,
        answer: async (redirected) => {
          const error = await finish(target, redirected).then(
            () => null,
            (cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause))),
          )
          stop()
          onDone(error)
          return error
        },
      })
      const stop = () => {
        forget()
        listeners.delete(stop)
        listener.server?.close()
        listener.server?.closeIdleConnections()
      }
      listeners.add(stop)
      const forget = timers.after(lifetime, () => {
        stop()
        void secrets.remove(pendingName(state)).catch(() => {})
      })
      try {
        const found = await authorise(target, { state, redirectURL: listener.redirectURL })
        if (found === null) {
          stop()
          return null
        }
        const { address, verifier } = found
        const expiresAt = clock() + lifetime
        await secrets.set(pendingName(state), {
          ...{ version: 1, target: store.name, redirectURL: listener.redirectURL, verifier, expiresAt },
        })
        return { address: address.href, code: null, isRedirected: true, expiresAt }
      } catch (error) {
        stop()
        throw error
      }

      async function authorise(of: SignInTarget, { state, redirectURL }: { state: string; redirectURL: string }) {
        const found: { address: URL | null; verifier: string | null } = { address: null, verifier: null }
        const flow: BrowserFlow = {
          ...{ redirectURL, state, verifier: null },
          onVerifier: (verifier) => {
            found.verifier = verifier
          },
          onAddress: (address) => {
            found.address = address
          },
        }
        const { challenge, client } = await of.store.get()
        // What was registered for another address of ours is of no use.
        const registered: unknown = client !== null && "redirect_uris" in client ? client.redirect_uris : undefined
        if (Array.isArray(registered) && !registered.includes(redirectURL)) await of.store.update({ client: null })
        const scope = computeScopeUnion(config.scope, challenge?.scope ?? undefined)
        const result = await auth(createOAuthProvider({ store: of.store, clock }, config, flow), {
          serverUrl: url,
          ...(scope !== undefined && { scope }),
          ...(challenge?.resourceMetadataURL && { resourceMetadataUrl: new URL(challenge.resourceMetadataURL) }),
          fetchFn: fetch,
          skipIssuerMetadataValidation: config.skipIssuerCheck === true,
          forceReauthorization: true,
        })
        if (result === "AUTHORIZED") return null
        if (found.address === null || found.verifier === null) throw new Error("The sign-in names no page.")
        if (!/^https?:$/.test(found.address.protocol))
          throw new Error(`The sign-in names a page that is no web address: ${found.address.protocol}`)
        return { address: found.address, verifier: found.verifier }
      }
    },
    finish,
    async close() {
      for (const stop of listeners) stop()
    },
  }
}

function pendingName(state: string): string {
  return `mcp sign-in ${state}`
}

function readRedirect(text: string) {
  if (!URL.canParse(text.trim())) throw new Error("This is no address. Copy it whole, from the browser's address bar.")
  const { searchParams } = new URL(text.trim())
  const failure = searchParams.get("error")
  const words = [failure, searchParams.get("error_description")].filter((part) => part !== null).join(": ")
  return {
    state: searchParams.get("state") ?? "",
    code: searchParams.get("code"),
    iss: searchParams.get("iss"),
    failure: failure === null ? null : words.slice(0, 500),
  }
}

interface Listener {
  redirectURL: string
  /** Null where the configuration names an address that leads elsewhere. */
  server: Server | null
}

/** Waits on this machine for the browser to come back: on a free port, or the one that is configured. */
async function listen(
  { redirectUri, callbackPort }: McpOAuth,
  { state, answer }: { state: string; answer(redirected: string): Promise<Error | null> },
): Promise<Listener> {
  const named = redirectUri === undefined ? null : new URL(redirectUri)
  if (named !== null && !isOfThisMachine(named)) return { redirectURL: named.href, server: null }
  const path = named?.pathname ?? "/callback"
  let isOver = false
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? "/", "http://127.0.0.1")
    const isIt = request.method === "GET" && address.pathname === path && address.searchParams.get("state") === state
    response.setHeader("content-type", "text/plain; charset=utf-8")
    response.setHeader("connection", "close")
    if (!isIt || isOver) {
      response.statusCode = 404
      response.end("Nothing is waited for here.\n")
      return
    }
    isOver = true
    void answer(address.href).then((error) => {
      response.statusCode = error === null ? 200 : 400
      response.end(error === null ? "Signed in. You can close this page.\n" : `${error.message}\n`)
    })
  })
  const wanted = Number(named?.port || callbackPort || 0)
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new Error(`Port ${wanted} is not free: ${error.message}`, { cause: error })))
    server.listen(wanted, "127.0.0.1", resolve)
  })
  server.unref()
  const { port } = server.address() as AddressInfo
  return { redirectURL: named?.href ?? `http://127.0.0.1:${port}${path}`, server }
}

function isOfThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname)
}
