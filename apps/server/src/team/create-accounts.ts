import { randomBytes } from "node:crypto"
import { apiKey } from "@better-auth/api-key"
import { passkey } from "@better-auth/passkey"
import type { AccountTables } from "@docket/db"
import { type BetterAuthOptions, betterAuth } from "better-auth"
import { prismaAdapter } from "better-auth/adapters/prisma"
import { APIError } from "better-auth/api"
import { deviceAuthorization, type genericOAuth, organization, twoFactor } from "better-auth/plugins"
import { deviceClient } from "./device-client.ts"
import type { TeamSettings } from "./team-settings.ts"

export interface AccountsDeps {
  tables: AccountTables
  settings: TeamSettings
  /** Signs cookies and encrypts the secrets of authenticator apps; at least 32 random bytes. */
  secret: string
  log(text: string, error: unknown): void
  /** The workspace in which a sign-in of the user starts now; null for their first one. */
  beginsIn(person: string): string | null
}

/** Lifetime of a sign-in (seconds), used or not. */
export const signInSeconds = 30 * 24 * 60 * 60
/** Minimum number of characters of a password. */
export const leastPasswordLength = 10

/**
 * The header with the client's address for better-auth: the service sets it on every request and overwrites what was
 * sent.
 */
export const addressHeader = "x-docket-address"

/** The prefix of every API key, so that a leaked key can be recognized. */
export const keyPrefix = "dkt_"

/** What providers add to the options. */
export type MoreWays = Pick<BetterAuthOptions, "socialProviders" | "databaseHooks"> & {
  plugins?: ReturnType<typeof genericOAuth>[]
}

/**
 * better-auth on Docket's own tables. It identifies users and verifies credentials; `account-access.ts` lists its
 * reachable routes. Users cannot sign up by themselves: they need a link.
 */
export function createAccounts(
  { tables, settings, secret, log, beginsIn }: AccountsDeps,
  { plugins = [], socialProviders = {}, databaseHooks = {} }: MoreWays = {},
) {
  const isSecure = settings.url.startsWith("https:")
  return betterAuth({
    appName: "Docket",
    baseURL: settings.url,
    basePath: "/api/auth",
    secret,
    trustedOrigins: [settings.url],
    telemetry: { enabled: false },
    logger: { log: (level, message, ...args) => level === "error" && log(`accounts: ${message}`, args[0] ?? "") },
    database: prismaAdapter(tables.client, { provider: tables.provider }),
    user: {
      modelName: "authUser",
      additionalFields: { isOperator: { type: "boolean", defaultValue: false, input: false } },
    },
    session: { modelName: "authSession", expiresIn: signInSeconds, disableSessionRefresh: true, freshAge: 15 * 60 },
    account: {
      modelName: "authAccount",
      encryptOAuthTokens: true,
      // If nobody has proven the account's address, its other sign-in methods have been removed by then
      // (provider-sign-in.ts).
      accountLinking: { requireLocalEmailVerified: false },
    },
    socialProviders,
    databaseHooks: {
      ...databaseHooks,
      session: {
        create: {
          async before(session) {
            const workspace = beginsIn(session.userId)
            return workspace === null ? undefined : { data: { ...session, activeOrganizationId: workspace } }
          },
        },
      },
      // Provider tokens are needed only during sign-in, so they are not stored in the database or in backups.
      account: {
        create: {
          async before(account, context) {
            await databaseHooks.account?.create?.before?.(account, context)
            return withoutTokens()
          },
        },
        update: { before: withoutTokens },
      },
    },
    onAPIError: { errorURL: `${settings.url}/login` },
    verification: { modelName: "authVerification" },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: leastPasswordLength,
      revokeSessionsOnPasswordReset: true,
    },
    // Docket has its own limit (sign-in-limit.ts), by address and by account, with bounded memory.
    rateLimit: { enabled: false },
    advanced: {
      // With this prefix, browsers accept the cookie only over TLS, from this host, for all paths, so no other host can
      // set it.
      cookiePrefix: isSecure ? "__Host-docket" : "docket",
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => randomBytes(16).toString("base64url") },
    },
    plugins: [
      ...plugins,
      organization({
        allowUserToCreateOrganization: false,
        schema: {
          organization: { modelName: "authOrganization" },
          member: { modelName: "authMember" },
          invitation: {
            modelName: "authInvitation",
            additionalFields: {
              secretHash: { type: "string", required: true, input: false },
              madeBy: { type: "string", required: false, input: false },
            },
          },
        },
      }),
      twoFactor({ issuer: "Docket", schema: { twoFactor: { modelName: "authTwoFactor" } } }),
      passkey({
        rpID: new URL(settings.url).hostname,
        rpName: "Docket",
        origin: settings.url,
        // A passkey replaces password and code, so the device must verify its user.
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        authentication: { afterVerification: async ({ verification }) => requireVerified(verification) },
        schema: { passkey: { modelName: "authPasskey" } },
      }),
      apiKey({
        defaultPrefix: keyPrefix,
        requireName: true,
        maximumNameLength: 80,
        enableMetadata: true,
        keyExpiration: { defaultExpiresIn: null, minExpiresIn: 0, maxExpiresIn: 3_660 },
        startingCharactersConfig: { charactersLength: 9 },
        // Counted by the service with all other calls; better-auth would write a row for each call.
        rateLimit: { enabled: false },
        schema: { apikey: { modelName: "authApiKey" } },
      }),
      deviceAuthorization({
        verificationUri: "/device",
        expiresIn: "15m",
        interval: "3s",
        validateClient: (id) => id === deviceClient,
        schema: { deviceCode: { modelName: "authDeviceCode" } },
      }),
    ],
  })
}

const withoutTokens = async () => ({
  data: {
    accessToken: null,
    refreshToken: null,
    idToken: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
  },
})

function requireVerified({ authenticationInfo }: { authenticationInfo: { userVerified: boolean } }): void {
  if (authenticationInfo.userVerified) return
  const message = "This device did not ask who holds it. Set up its PIN, fingerprint or face, or use another passkey."
  throw new APIError("UNAUTHORIZED", { message })
}

export type Accounts = ReturnType<typeof createAccounts>
/** The part of better-auth for code in the same process. */
export type Context = Awaited<Accounts["$context"]>
