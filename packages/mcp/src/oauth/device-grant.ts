import type { BegunSignIn } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import { auth, type FetchLike, resourceUrlFromServerUrl } from "@modelcontextprotocol/client"
import { z } from "zod"
import { createOAuthProvider } from "./oauth-provider.ts"
import { createSignInDraft, type KeptSignIn } from "./sign-in-store.ts"
import type { SignInTarget } from "./sign-in-target.ts"

const grantType = "urn:ietf:params:oauth:grant-type:device_code"

const Offer = z.object({
  device_code: z.string(),
  user_code: z.string().max(100),
  verification_uri: z.string(),
  verification_uri_complete: z.string().optional(),
  expires_in: z.number().max(3_600),
  interval: z.number().min(1).max(60).default(5),
})

const Tokens = z.looseObject({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.number().optional(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
})
const Refusal = z.object({ error: z.string(), error_description: z.string().optional() })

/**
 * Signs in on another device (RFC 8628), where the metadata of the authorization server names the grant: the person types
 * a code on a page, and the server is asked until it says yes.
 */
export async function beginDeviceGrant(
  { timers, clock }: { timers: Timers; clock(): number },
  target: SignInTarget,
  onDone: (error: Error | null) => void,
): Promise<{ begun: BegunSignIn; stop(): void }> {
  const { store, config, url, fetch } = target
  const kept = await store.get()
  const { challenge } = kept
  const draft = createSignInDraft({ client: kept.client, challenge })
  await discover(target, draft, clock)
  const { discovery, client } = await draft.get()
  const metadata = discovery?.authorizationServerMetadata
  const endpoint = z.string().safeParse(metadata && Reflect.get(metadata, "device_authorization_endpoint")).data
  if (endpoint === undefined || metadata === undefined || client === null)
    throw new Error("This server's sign-in has no way for another device. Sign in with a browser.")
  const scope = challenge?.scope ?? config.scope
  const resource = discovery?.resourceMetadata?.resource ?? resourceUrlFromServerUrl(url).href
  const secret = config.clientId === client.client_id ? config.clientSecret : client.client_secret
  const known = { client_id: client.client_id, ...(secret !== undefined && { client_secret: secret }) }
  const offered = await post(fetch, endpoint, { ...known, resource, ...(scope && { scope }) })
  const offer = Offer.parse(offered.body)
  const page = new URL(offer.verification_uri_complete ?? offer.verification_uri)
  if (!/^https?:$/.test(page.protocol)) throw new Error("The sign-in names a page that is no web address.")
  const expiresAt = clock() + offer.expires_in * 1_000
  let wait = offer.interval * 1_000
  let stop = () => {}
  let isOver = false
  const end = (error: Error | null) => {
    if (isOver) return
    isOver = true
    stop()
    onDone(error)
  }
  const ask = async () => {
    if (isOver) return
    if (clock() > expiresAt) return end(new Error("The code has expired. Begin again."))
    const answer = await post(fetch, metadata.token_endpoint, {
      ...{ ...known, resource, grant_type: grantType, device_code: offer.device_code },
    })
    const tokens = Tokens.safeParse(answer.body)
    if (answer.ok && tokens.success) {
      const { expires_in: seconds } = tokens.data
      await store.update({
        ...{ client, discovery },
        tokens: { ...tokens.data, issuer: metadata.issuer },
        expiresAt: seconds === undefined ? null : clock() + seconds * 1_000,
        challenge: null,
      })
      return end(null)
    }
    const refusal = Refusal.safeParse(answer.body).data
    if (refusal?.error === "slow_down") wait += 5_000
    else if (refusal?.error !== "authorization_pending")
      return end(new Error(`The sign-in was refused: ${refusal?.error_description ?? refusal?.error ?? "no answer"}`))
    plan()
  }
  const plan = () => {
    stop = timers.after(wait, () => void ask().catch((error: unknown) => end(error instanceof Error ? error : null)))
  }
  plan()
  return {
    begun: { address: page.href, code: offer.user_code, isRedirected: false, expiresAt },
    stop: () => {
      isOver = true
      stop()
    },
  }
}

/** Finds the authorization server and registers there, without the page of a browser. */
async function discover(target: SignInTarget, draft: KeptSignIn, clock: () => number): Promise<void> {
  const { config, url, fetch } = target
  const { challenge } = await draft.get()
  const flow = {
    ...{ redirectURL: "http://127.0.0.1/callback", state: "none", verifier: null },
    onVerifier: () => {},
    onAddress: () => {},
  }
  await auth(createOAuthProvider({ store: draft, clock }, target, flow), {
    serverUrl: url,
    ...(challenge?.resourceMetadataURL && { resourceMetadataUrl: new URL(challenge.resourceMetadataURL) }),
    fetchFn: fetch,
    skipIssuerMetadataValidation: config.skipIssuerCheck === true,
    forceReauthorization: true,
  })
}

async function post(fetch: FetchLike, address: string, fields: Record<string, string>) {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams(fields).toString(),
  })
  return { ok: response.ok, body: (await response.json().catch(() => null)) as unknown }
}
