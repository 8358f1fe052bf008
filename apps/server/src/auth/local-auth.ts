import { type Auth, bearerToken, type Identity, loginCookie } from "@docket/api"
import { localPerson } from "@docket/core/schema"
import type { SecretKind, Vault } from "@docket/core/vault"
import { z } from "zod"
import { keptSecret } from "./kept-secret.ts"
import { createSecret, hashSecret, sameSecret } from "./secret.ts"

const codeLifeMs = 15 * 60_000
const loginLifeSeconds = 30 * 24 * 60 * 60

/** What counts until a time (epoch ms). It is kept by the hash of what somebody shows. */
const Expiring = z.looseObject({ expires: z.number() })

/** The only user, who owns the whole service. */
const onlyUser = { caller: { person: localPerson, workspace: "local" }, role: "owner", isOperator: true } as const
const program: Identity = { ...onlyUser, name: "service", via: "token", credentialID: "token" }

export interface LocalAuth extends Auth {
  /** The token of the service. */
  token: string
}

/**
 * Sign-in for one user on one machine: a token, and one-time login links that are exchanged for a cookie of 30 days.
 */
export async function createLocalAuth(vault: Vault, clock: () => number = Date.now): Promise<LocalAuth> {
  const token = await keptSecret(vault, "token")
  // Cookies ignore the port: two services on one host need different names.
  const cookieName = `docket_${hashSecret(token).slice(0, 8)}`
  const counts = (value: unknown) => (Expiring.safeParse(value).data?.expires ?? 0) > clock()
  const keep = async (kind: SecretKind, hash: string, value: z.infer<typeof Expiring>) => {
    for (const [old, kept] of await vault.all(kind)) if (!counts(kept)) await vault.change(kind, old, () => null)
    await vault.change(kind, hash, () => value)
  }
  return {
    token,
    cookieName,
    identify(request) {
      if (request.headers.authorization !== undefined) {
        const given = bearerToken(request)
        return given !== null && sameSecret(given, token) ? program : null
      }
      const secret = loginCookie(request, cookieName)
      if (secret === null) return null
      const hash = hashSecret(secret)
      return vault
        .get("login", hash)
        .then((login) => (counts(login) ? { ...onlyUser, name: "local", via: "login", credentialID: hash } : null))
    },
    async createLoginCode() {
      const code = createSecret()
      await keep("login-code", hashSecret(code), { expires: clock() + codeLifeMs })
      return code
    },
    async redeemLoginCode(code) {
      // Of all that show it at once, one takes it.
      if (!counts(await vault.change("login-code", hashSecret(code), () => null))) return null
      const secret = createSecret()
      await keep("login", hashSecret(secret), { created: clock(), expires: clock() + loginLifeSeconds * 1_000 })
      return { secret, maxAgeSeconds: loginLifeSeconds }
    },
    async endLogin(secret) {
      await vault.change("login", hashSecret(secret), () => null)
    },
  }
}
