import type { IncomingMessage, ServerResponse } from "node:http"
import {
  type AccountFace,
  type Capability,
  type Identity,
  readJson,
  refuseUnknownKeys,
  requireAccess,
  sendError,
  sendJson,
  sendRefusal,
  setSafeHeaders,
} from "@docket/api"
import { DocketError, isDocketError } from "@docket/core"
import { ShownName, shownNameUpTo } from "@docket/core/schema"
import { z } from "zod"
import { type ForwardedRoute, forwardedAccess, isForwarded, isOwn, type OwnRoute, ownAccess } from "./account-access.ts"
import { accountMethods } from "./account-methods.ts"
import { keyPrefix } from "./create-accounts.ts"
import { sendWebResponse, setCookies, toWebRequest } from "./forward-request.ts"
import { codeRoutes, guessedRoutes, keepingRoutes, passwordRoutes, usingRoutes } from "./forwarded-routes.ts"
import { linkGone } from "./one-time-links.ts"
import type { OpenStreams } from "./open-streams.ts"
import { Email, Password } from "./people.ts"
import { providersOf } from "./provider-settings.ts"
import { sendTooMany } from "./send-too-many.ts"
import type { SignInLimit } from "./sign-in-limit.ts"
import type { TeamParts } from "./team-parts.ts"

export interface AccountRoutesDeps {
  parts: TeamParts
  limit: SignInLimit
  streams: OpenStreams
  /** Address of the client, not of a proxy in front. */
  addressOf(req: IncomingMessage): string
  log(text: string, error: unknown): void
  /** Called when a wrong password was tried for this address. */
  onWrongPassword(req: IncomingMessage, email: string): Promise<void>
}

const base = "/api/auth"
const Secret = z.object({ secret: z.string().min(1).max(200) })
const SignIn = z.object({ email: Email, password: z.string().max(128) })
const FirstOwner = Secret.extend({
  name: ShownName,
  email: Email,
  password: Password,
  workspace: ShownName.default("Docket"),
})
/** A user who is signed in with the address needs no password. */
const Acceptance = Secret.extend({ name: ShownName.optional(), password: z.string().max(128).optional() })
const ProviderName = z.object({ provider: z.string().max(40) })
const PasskeyID = z.object({ id: z.string().min(1).max(64) })
const PasskeyName = PasskeyID.extend({ name: shownNameUpTo(60) })
const Reset = Secret.extend({ password: Password })

const GivenCode = z.object({ code: z.string().trim().min(1).max(100) })
/** The answer to a verified code: the new sign-in. */
const VerifiedSignIn = z.object({ token: z.string(), user: z.object({ id: z.string() }) })
const ProviderChoice = z.object({
  provider: z.string().max(40),
  // A path of this service, and nothing that a browser would read as another address.
  next: z
    .string()
    .max(2_000)
    .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u)
    .default("/"),
})

/** Pages for people who are not signed in. */
const openPages = new Set(["/welcome", "/join", "/reset"])

/**
 * The account routes, all below `/api/auth`, with JSON bodies: sign-in, the links that let users in, and the routes of
 * better-auth in `account-access.ts`, which also lists what each requires.
 */
export function createAccountRoutes(deps: AccountRoutesDeps): AccountFace {
  const { parts, limit, streams, addressOf, log, onWrongPassword } = deps
  const { accounts, firstOwner, invitations, people, resetLinks, cache, settings } = parts

  /**
   * Checks a password of an account: all routes share one number of tries per account. A wrong password is reported.
   * @param work returns whether the password was right, or throws wrong_password
   * @returns whether it was right; also false when it was not tried because of the limit, which is answered here
   */
  const withPassword = async (
    { req, res, email }: { req: IncomingMessage; res: ServerResponse; email: string },
    work: () => Promise<boolean>,
  ): Promise<boolean> => {
    const address = addressOf(req)
    const wait = await limit.take(address, email)
    if (wait !== null) {
      sendTooMany(res, wait)
      return false
    }
    const isRight = await work().catch(async (error: unknown) => {
      if (isDocketError(error) && error.code === "wrong_password") await onWrongPassword(req, email)
      throw error
    })
    if (isRight) await limit.forgive(address, email)
    else await onWrongPassword(req, email)
    return isRight
  }

  /** Checks the capability before the rest of the request is read. False when the request was already refused. */
  const mayGoOn = async (req: IncomingMessage, res: ServerResponse, needs: Capability | null): Promise<boolean> => {
    if (needs === null) return true
    const identity = await parts.auth.identify(req)
    // Account data is not accessible with an API key, or with the service's own token.
    const needsAccount = needs === "account" && identity?.via !== "login"
    if (identity === null || needsAccount) {
      sendRefusal(res, { status: 401, code: "UNAUTHORIZED", message: "sign in with an account" })
      return false
    }
    requireAccess(identity, needs)
    return true
  }

  /** Signs a browser in with a password: sets its cookie, or starts the second factor. */
  const signIn = async (req: IncomingMessage, res: ServerResponse, given: { email: string; password: string }) => {
    const { email, password } = given
    await withPassword({ req, res, email }, async () => {
      const forwarding = { url: settings.url, address: addressOf(req) }
      const { headers } = await toWebRequest(req, forwarding, { email, password })
      const response = await accounts.api.signInEmail({ body: { email, password }, headers, asResponse: true })
      if (!response.ok)
        throw new DocketError("wrong_password", "The e-mail address or the password is not right. Try again.")
      setCookies(response, res)
      const answer = z.object({ twoFactorRedirect: z.boolean().optional() }).parse(await response.json())
      sendJson(res, 200, { ok: true, twoFactor: answer.twoFactorRedirect ?? false })
      return true
    })
  }

  /** Counts each try of a link for the client's address, so that links cannot be guessed. */
  const trying = async (req: IncomingMessage, res: ServerResponse, work: () => Promise<void>) => {
    const wait = await limit.takeAt(addressOf(req), "links")
    if (wait !== null) return sendTooMany(res, wait)
    await work()
    await limit.forgive(addressOf(req), "links")
  }

  /** The identity of a browser that is signed in with this address; null for all others. */
  const signedInAs = async (req: IncomingMessage, email: string): Promise<Identity | null> => {
    const identity = await parts.auth.identify(req)
    if (identity?.via !== "login") return null
    const { person } = identity.caller
    return (await people.byIDs([person])).get(person)?.email === email ? identity : null
  }

  /** Changes the sign-in methods of a signed-in user. The sign-in is checked again when the whole body has arrived. */
  const changing = async <T extends z.ZodType>(
    { req, res, schema }: { req: IncomingMessage; res: ServerResponse; schema: T },
    work: (person: string, input: z.output<T>) => Promise<void>,
  ) => {
    const input = await readAs(req, schema)
    const identity = await parts.auth.identify(req)
    if (identity?.via !== "login")
      return sendRefusal(res, { status: 401, code: "UNAUTHORIZED", message: "sign in with an account" })
    await work(identity.caller.person, input)
    sendJson(res, 200, { ok: true })
  }

  const own: Record<OwnRoute, (req: IncomingMessage, res: ServerResponse) => Promise<void>> = {
    "GET /methods": async (req, res) => {
      const identity = await parts.auth.identify(req)
      const methods =
        identity && (await accountMethods(await accounts.$context, identity, { settings, ways: parts.ways }))
      if (methods) sendJson(res, 200, methods)
      else sendRefusal(res, { status: 401, code: "UNAUTHORIZED", message: "sign in with an account" })
    },
    "POST /provider": (req, res) => goToProvider(req, res),
    "POST /provider/unlink": (req, res) =>
      changing({ req, res, schema: ProviderName }, (person, { provider }) => parts.ways.unlink(person, provider)),
    "POST /passkey/delete-passkey": (req, res) =>
      changing({ req, res, schema: PasskeyID }, (person, { id }) => parts.ways.removePasskey(person, id)),
    "POST /passkey/rename": (req, res) =>
      changing({ req, res, schema: PasskeyName }, (person, { id, name }) => parts.ways.renamePasskey(person, id, name)),
    "POST /sign-in/email": async (req, res) => signIn(req, res, await readAs(req, SignIn)),
    "POST /first-owner/link": async (req, res) => {
      const identity = await parts.auth.identify(req)
      if (identity?.isOperator !== true || identity.via !== "token")
        return sendRefusal(res, { status: 401, code: "UNAUTHORIZED", message: "send the token of the token file" })
      sendJson(res, 200, { url: await firstOwner.link() })
    },
    "POST /first-owner/look": (req, res) =>
      trying(req, res, async () => {
        if (!(await firstOwner.isWaiting((await readAs(req, Secret)).secret))) throw linkGone()
        sendJson(res, 200, { ok: true })
      }),
    "POST /first-owner": (req, res) =>
      trying(req, res, async () => {
        const { secret, workspace, ...person } = await readAs(req, FirstOwner)
        const owner = await firstOwner.create(secret, person, workspace)
        await signIn(req, res, { email: owner.email, password: person.password })
      }),
    "POST /invitation/look": (req, res) =>
      trying(req, res, async () => {
        const found = await invitations.look((await readAs(req, Secret)).secret)
        const isYou = (await signedInAs(req, found.email)) !== null
        sendJson(res, 200, { ...found, ...(isYou && { isYou }) })
      }),
    "POST /invitation/accept": (req, res) =>
      trying(req, res, async () => {
        const { secret, name, password } = await readAs(req, Acceptance)
        const { hasAccount, email } = await invitations.look(secret)
        if (password === undefined) {
          const identity = await signedInAs(req, email)
          if (identity === null)
            throw new DocketError(
              "wrong_password",
              "Sign in with the account of this address first, or type its password.",
            )
          const { workspace } = await invitations.accept(secret, { person: identity.caller.person })
          await parts.goTo(identity.credentialID, workspace)
          cache.clear()
          return sendJson(res, 200, { ok: true, twoFactor: false })
        }
        // A user with an account proves it by its password; the password rules are only for new accounts.
        const chosen = hasAccount
          ? { password }
          : { name: ShownName.parse(name ?? ""), password: Password.parse(password) }
        const isIn = await withPassword({ req, res, email }, async () => {
          await invitations.accept(secret, chosen)
          cache.clear()
          return true
        })
        if (isIn) await signIn(req, res, { email, password })
      }),
    "POST /reset/look": (req, res) =>
      trying(req, res, async () => {
        const { isByOperator } = await resetLinks.look((await readAs(req, Secret)).secret)
        sendJson(res, 200, { ok: true, endsSecondStep: isByOperator })
      }),
    "POST /reset": (req, res) =>
      trying(req, res, async () => {
        const { secret, password } = await readAs(req, Reset)
        await resetLinks.use(secret, async ({ person, isByOperator }) => {
          await people.reset(person, password, { withSecondStep: isByOperator })
        })
        cache.clear()
        sendJson(res, 200, { ok: true })
      }),
  }

  const forward = async (req: IncomingMessage, res: ServerResponse, route: ForwardedRoute) => {
    const address = addressOf(req)
    const email = passwordRoutes.has(route) ? await emailOf(req) : undefined
    if (email !== undefined) {
      await withPassword({ req, res, email }, () => handOn(req, res, route))
      return
    }
    const isGuessed = guessedRoutes.has(route)
    const wait = isGuessed || keepingRoutes.has(route) ? await limit.takeAt(address, route) : null
    if (wait !== null) return sendTooMany(res, wait)
    const isGood = await handOn(req, res, route)
    if (isGood && isGuessed) await limit.forgive(address, route)
    const storingRoute = usingRoutes.get(route)
    if (isGood && storingRoute !== undefined) await limit.forgive(address, storingRoute)
  }

  /** Email of the signed-in user. */
  const emailOf = async (req: IncomingMessage): Promise<string | undefined> => {
    const person = (await parts.auth.identify(req))?.caller.person
    return person && (await people.byIDs([person])).get(person)?.email
  }

  /** Passes a request on to better-auth. Returns whether it succeeded. */
  const handOn = async (req: IncomingMessage, res: ServerResponse, route: ForwardedRoute): Promise<boolean> => {
    const address = addressOf(req)
    const path = route === "POST /sign-out" ? `${base}/sign-out` : undefined
    // Only the code is passed on: a browser must not request to be trusted for 30 days.
    const given = codeRoutes.has(route) ? await readAs(req, GivenCode) : undefined
    // Read now, because the request replaces the sign-in.
    const person = route === "POST /change-password" ? (await parts.auth.identify(req))?.caller.person : undefined
    const response = await accounts.handler(await toWebRequest(req, { url: settings.url, address, path }, given))
    if (route === "POST /two-factor/verify-totp" && given && response.ok) await requireFirstUse(response, given.code)
    // Reset links and allowed device codes end too: their holder could take the account back from a user who has just
    // secured it.
    if (route === "POST /change-password" && person !== undefined && response.ok) {
      await resetLinks.endOf(person)
      await people.endDeviceCodes(person)
    }
    // The request may have changed an identity.
    if (req.method === "POST") cache.clear()
    await sendWebResponse(response, res)
    return response.ok
  }

  /** A code works once: if it was used before, the new sign-in is ended before anyone gets it. */
  const requireFirstUse = async (response: Response, code: string) => {
    const { token, user } = VerifiedSignIn.parse(await response.clone().json())
    if (await parts.usedCodes.use(user.id, code)) return
    await (await accounts.$context).internalAdapter.deleteSession(token)
    cache.clear()
    throw new DocketError("wrong_password", "This code was used already. Wait for the next one.")
  }

  /** Sends a browser to a provider. `next`: a page of this service to return to. */
  const goToProvider = async (req: IncomingMessage, res: ServerResponse) => {
    const address = addressOf(req)
    const wait = await limit.takeAt(address, "provider")
    if (wait !== null) return sendTooMany(res, wait)
    const { provider, next } = await readAs(req, ProviderChoice)
    if (!providersOf(settings).some(({ id }) => id === provider))
      throw new DocketError("invalid_input", "There is no such way to sign in here.")
    const body = { provider, callbackURL: settings.url + next, errorCallbackURL: `${settings.url}/login` }
    const forwarding = { url: settings.url, address, path: `${base}/sign-in/social` }
    const response = await parts.providers.handle(provider, await toWebRequest(req, forwarding, body))
    const { url } = z.object({ url: z.url() }).parse(await response.json())
    setCookies(response, res)
    sendJson(res, 200, { url })
  }

  /** The address to which a provider returns a browser. */
  const comeBack = async (req: IncomingMessage, res: ServerResponse, provider: string) => {
    const query = new URL(req.url ?? "/", settings.url).search
    const path = `${base}/callback/${provider}${query}`
    const address = addressOf(req)
    const request = await toWebRequest(req, { url: settings.url, address, path })
    const response = await parts.providers.handle(provider, request)
    const isSignedIn = response.headers.getSetCookie().some((each) => each.startsWith(`${parts.auth.cookieName}=`))
    if (isSignedIn) await limit.forgive(address, "provider")
    cache.clear()
    await sendWebResponse(response, res)
  }

  return {
    isOpenPage: (path) => openPages.has(path),
    watch: streams.add,
    async serve(req, res, path) {
      if (req.url?.includes(keyPrefix)) {
        setSafeHeaders(res)
        const message = "a key in an address is written into logs: revoke this one, and send keys as a bearer token"
        sendRefusal(res, { status: 400, code: "BAD_REQUEST", message })
        return true
      }
      const [, provider] = /^\/sign-in\/([a-z0-9-]+)$/.exec(path) ?? []
      if (provider !== undefined && req.method === "GET" && providersOf(settings).some(({ id }) => id === provider)) {
        setSafeHeaders(res)
        await comeBack(req, res, provider).catch((error: unknown) => sendError(res, error, log))
        return true
      }
      const isLogout = path === "/api/logout"
      if (!isLogout && !path.startsWith(`${base}/`)) return false
      setSafeHeaders(res)
      const route = isLogout ? `${req.method} /sign-out` : `${req.method} ${path.slice(base.length)}`
      try {
        if (isOwn(route)) {
          if (await mayGoOn(req, res, ownAccess[route])) await own[route](req, res)
        } else if (isForwarded(route)) {
          if (await mayGoOn(req, res, forwardedAccess[route])) await forward(req, res, route)
        } else sendRefusal(res, { status: 404, code: "NOT_FOUND", message: "there is nothing at this address" })
      } catch (error) {
        sendError(res, error instanceof z.ZodError ? invalid(error) : error, log)
      }
      return true
    },
  }
}

/** Parses a JSON body and reports what is wrong with it. @throws invalid_input, unknown_key, ZodError */
async function readAs<T extends z.ZodType>(req: IncomingMessage, schema: T): Promise<z.output<T>> {
  const sent = await readJson(req, z.unknown())
  refuseUnknownKeys(schema, sent)
  return schema.parse(sent)
}

function invalid(error: z.ZodError): DocketError {
  return new DocketError("invalid_input", error.issues[0]?.message ?? "the request does not have the expected form")
}
