import path from "node:path"
import { type Auth, bearerToken, type Identity, loginCookie } from "@docket/api"
import { localPerson } from "@docket/core/schema"
import { openLoginFile } from "./login-file.ts"
import { createSecret, hashSecret, sameSecret } from "./secret.ts"
import { readOrCreateToken } from "./token-file.ts"

const codeLifeMs = 15 * 60_000
const loginLifeSeconds = 30 * 24 * 60 * 60

/** The only user, who owns the whole service. */
const onlyUser = { caller: { person: localPerson, workspace: "local" }, role: "owner", isOperator: true } as const
const program: Identity = { ...onlyUser, name: "service", via: "token", credentialID: "token" }

export interface LocalAuth extends Auth {
  tokenFile: string
}

/**
 * Sign-in for one user on one machine: a token in a private file, and one-time login links that are exchanged for a
 * cookie of 30 days. Login codes are kept in memory, logins in the data directory.
 */
export function createLocalAuth(directory: string, clock: () => number = Date.now): LocalAuth {
  const tokenFile = path.join(directory, "token")
  const token = readOrCreateToken(tokenFile)
  const logins = openLoginFile(path.join(directory, "logins.json"), clock)
  /** Hash of each unused code, and when it expires. */
  const codes = new Map<string, number>()
  // Cookies ignore the port: two services on one host need different names.
  const cookieName = `docket_${hashSecret(token).slice(0, 8)}`
  return {
    tokenFile,
    cookieName,
    identify(request) {
      if (request.headers.authorization !== undefined) {
        const given = bearerToken(request)
        return given !== null && sameSecret(given, token) ? program : null
      }
      const secret = loginCookie(request, cookieName)
      const hash = secret === null ? null : hashSecret(secret)
      return hash !== null && logins.has(hash) ? { ...onlyUser, name: "local", via: "login", credentialID: hash } : null
    },
    createLoginCode() {
      const code = createSecret()
      for (const [hash, expires] of codes) if (expires <= clock()) codes.delete(hash)
      codes.set(hashSecret(code), clock() + codeLifeMs)
      return code
    },
    async redeemLoginCode(code) {
      const hash = hashSecret(code)
      const expires = codes.get(hash) ?? 0
      codes.delete(hash)
      if (expires <= clock()) return null
      const secret = createSecret()
      logins.add({ hash: hashSecret(secret), created: clock(), expires: clock() + loginLifeSeconds * 1_000 })
      return { secret, maxAgeSeconds: loginLifeSeconds }
    },
    async endLogin(secret) {
      logins.remove(hashSecret(secret))
    },
  }
}
