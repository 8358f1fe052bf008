import { randomBytes } from "node:crypto"
import type { BegunSignIn } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { Vault } from "@docket/core/vault"
import { auth, computeScopeUnion } from "@modelcontextprotocol/client"
import { z } from "zod"
import { createCallbackListener } from "./callback-listener.ts"
import { beginDeviceGrant } from "./device-grant.ts"
import { type BrowserFlow, createOAuthProvider } from "./oauth-provider.ts"
import { createSignInDraft, type KeptSignIn, type SignIn, WrittenSignIn } from "./sign-in-store.ts"
import type { SignInTarget } from "./sign-in-target.ts"

export interface SignInFlowsDeps {
  vault: Vault
  timers: Timers
  /** Epoch ms. */
  clock(): number
}

/** ms that a person has. */
const lifetime = 10 * 60_000

const Pending = z.object({
  version: z.literal(3),
  target: z.string(),
  /** The person who began it. */
  by: z.string(),
  redirectURL: z.string(),
  verifier: z.string(),
  /** Where it signs in, and as what. */
  ...WrittenSignIn.pick({ client: true, discovery: true }).shape,
  expiresAt: z.number(),
})

export interface SignInFlows {
  /** @throws Error with what the server or its sign-in said */
  begin(
    target: SignInTarget,
    choice: { by: string; method: "browser" | "device"; onDone(error: Error | null): void },
  ): Promise<BegunSignIn>
  /**
   * Ends it with the address to which the browser was sent.
   * @throws Error when the address is of no sign-in that the person began and that waits, or says that it failed
   */
  finish(target: SignInTarget, by: string, redirected: string): Promise<void>
  close(): Promise<void>
}

/** Sign-ins of people. What a flow needs is kept with the sign-ins, so that another process can end it. */
export function createSignInFlows(deps: SignInFlowsDeps): SignInFlows {
  const { vault, timers, clock } = deps
  const callbacks = createCallbackListener()
  /** What ends those that wait, by state. */
  const waiting = new Map<string, () => void>()
  const finish = async (target: SignInTarget, by: string, redirected: string) => {
    const { state, code, iss, failure } = readRedirect(redirected)
    const name = pendingName(state)
    // Whatever becomes of it, no answer counts twice.
    const pending = Pending.safeParse(await vault.change("sign-in", name, () => null)).data
    // Another person could end it in an account of theirs.
    const isOurs = pending?.target === target.store.name && pending.by === by
    if (pending === undefined || pending.expiresAt < clock() || !isOurs)
      throw new Error("This address belongs to no sign-in that waits. Begin again.")
    if (failure !== null) throw new Error(`The sign-in was refused: ${failure}`)
    if (code === null) throw new Error("The address has no code. Copy it whole, from the browser's address bar.")
    const flow: BrowserFlow = {
      ...{ redirectURL: pending.redirectURL, state, verifier: pending.verifier },
      onVerifier: () => {},
      onAddress: () => {},
    }
    waiting.get(state)?.()
    const { client, discovery } = pending as Pick<SignIn, "client" | "discovery">
    const draft = createSignInDraft({ client, discovery })
    await auth(createOAuthProvider({ store: draft, clock }, target, flow), {
      ...{ serverUrl: target.url, authorizationCode: code, fetchFn: target.fetch },
      ...(iss !== null && { iss }),
      skipIssuerMetadataValidation: target.config.skipIssuerCheck === true,
    })
    await target.store.update(await draft.get())
  }
  return {
    async begin(target, { by, method, onDone }) {
      const { config, store } = target
      const state = randomBytes(24).toString("base64url")
      if (method === "device") {
        const device = await beginDeviceGrant({ timers, clock }, target, onDone)
        waiting.set(state, device.stop)
        return device.begun
      }
      const awaited = await callbacks.wait(config, {
        state,
        answer: async (redirected) => {
          const error = await finish(target, by, redirected).then(
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
        waiting.delete(state)
        awaited.stop()
      }
      waiting.set(state, stop)
      const forget = timers.after(lifetime, () => {
        stop()
        void vault.change("sign-in", pendingName(state), () => null).catch(() => {})
      })
      try {
        const { redirectURL } = awaited
        const { client, challenge } = await store.get()
        const draft = createSignInDraft({ client, challenge })
        const { address, verifier } = await authorise(deps, { target, draft }, { state, redirectURL })
        const expiresAt = clock() + lifetime
        const found = await draft.get()
        const pending = {
          ...{ version: 3, target: store.name, by, redirectURL, verifier, expiresAt },
          ...{ client: found.client, discovery: found.discovery },
        }
        await vault.change("sign-in", pendingName(state), () => pending)
        return { address: address.href, code: null, isRedirected: true, expiresAt }
      } catch (error) {
        stop()
        throw error
      }
    },
    finish,
    async close() {
      for (const stop of waiting.values()) stop()
    },
  }
}

/** The page on which a person agrees, with the secret that proves who began. */
async function authorise(
  { clock }: Pick<SignInFlowsDeps, "clock">,
  { target, draft }: { target: SignInTarget; draft: KeptSignIn },
  { state, redirectURL }: Pick<BrowserFlow, "state" | "redirectURL">,
): Promise<{ address: URL; verifier: string }> {
  const { config, url, fetch } = target
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
  const { challenge, client } = await draft.get()
  // What was registered for another address of ours is of no use.
  const registered: unknown = client !== null && "redirect_uris" in client ? client.redirect_uris : undefined
  if (Array.isArray(registered) && !registered.includes(redirectURL)) await draft.update({ client: null })
  const scope = computeScopeUnion(config.scope, challenge?.scope ?? undefined)
  await auth(createOAuthProvider({ store: draft, clock }, target, flow), {
    serverUrl: url,
    ...(scope !== undefined && { scope }),
    ...(challenge?.resourceMetadataURL && { resourceMetadataUrl: new URL(challenge.resourceMetadataURL) }),
    fetchFn: fetch,
    skipIssuerMetadataValidation: config.skipIssuerCheck === true,
    forceReauthorization: true,
  })
  const { address, verifier } = found
  if (address === null || verifier === null) throw new Error("The sign-in names no page.")
  if (!/^https?:$/.test(address.protocol))
    throw new Error(`The sign-in names a page that is no web address: ${address.protocol}`)
  return { address, verifier }
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
