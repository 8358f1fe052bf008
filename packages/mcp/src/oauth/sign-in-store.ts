import { createHash } from "node:crypto"
import type { Vault } from "@docket/core/vault"
import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client"
import { z } from "zod"

/** Whose sign-in to which server. */
export interface SignInKey {
  server: string
  /** Its address: tokens are sent nowhere else. */
  url: string
  /** The project that brings the server; null for the user's own. */
  projectID: string | null
  /** The person whom the tokens stand for; null where all share them. */
  person: string | null
}

/** What is kept of a sign-in. Its parts have the shapes of the protocol's library, which wrote them. */
export interface SignIn {
  client: StoredOAuthClientInformation | null
  tokens: StoredOAuthTokens | null
  /** When the access token expires (epoch ms); null when unknown. */
  expiresAt: number | null
  discovery: OAuthDiscoveryState | null
  /** What the server asked for last. */
  challenge: { scope: string | null; resourceMetadataURL: string | null } | null
}

const empty: SignIn = { client: null, tokens: null, expiresAt: null, discovery: null, challenge: null }

/** As it is written down. */
export const WrittenSignIn = z.object({
  client: z.looseObject({ client_id: z.string() }).nullable(),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).nullable(),
  expiresAt: z.number().nullable(),
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).nullable(),
  challenge: z.object({ scope: z.string().nullable(), resourceMetadataURL: z.string().nullable() }).nullable(),
})

const Stored = z.object({ version: z.literal(1), signIn: WrittenSignIn })

/** What is known of one sign-in. */
export interface KeptSignIn {
  get(): Promise<SignIn>
  update(fields: Partial<SignIn>): Promise<void>
  /** Forgets all of it. */
  remove(): Promise<void>
}

/** One sign-in. Each call reads what is kept, so that what another process wrote counts. */
export interface SignInStore extends KeptSignIn {
  /** Tells it from all others. */
  name: string
  /** What came of renewing a token. It does not count where somebody has signed out or in again meanwhile. */
  renew(used: string, fields: Pick<SignIn, "tokens" | "expiresAt">): Promise<void>
  /** Runs work while no other process renews a token: two that use one refresh token would end the sign-in. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/** A sign-in that is under way. What is kept stays as it is until it is finished, and stays so if it never is. */
export function createSignInDraft(begun: Partial<SignIn>): KeptSignIn {
  let draft = { ...empty, ...begun }
  return {
    get: async () => draft,
    async update(fields) {
      draft = { ...draft, ...fields }
    },
    async remove() {
      draft = empty
    },
  }
}

export function createSignInStore(vault: Vault, key: SignInKey): SignInStore {
  const name = `mcp ${createHash("sha256")
    .update(JSON.stringify([key.server, key.url, key.projectID, key.person]))
    .digest("hex")}`
  return {
    name,
    get: async () => signInOf(await vault.get("sign-in", name)),
    async update(fields) {
      await vault.change("sign-in", name, (before) => stored({ ...signInOf(before), ...fields }))
    },
    async renew(used, fields) {
      await vault.change("sign-in", name, (before) => {
        const kept = signInOf(before)
        return kept.tokens?.access_token === used ? stored({ ...kept, ...fields }) : before
      })
    },
    async remove() {
      await vault.change("sign-in", name, () => null)
    },
    alone: (work) => vault.alone("sign-in", name, work),
  }
}

function stored(signIn: SignIn) {
  return { version: 1, signIn }
}

function signInOf(value: unknown): SignIn {
  const read = Stored.safeParse(value)
  // What this version cannot read is signed in to again.
  return read.success ? { ...empty, ...(read.data.signIn as SignIn) } : empty
}
