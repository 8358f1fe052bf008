import type { IncomingMessage, ServerResponse } from "node:http"
import { type AccountFace, readJson, sendError, sendJson, sendRefusal, setSafeHeaders } from "@docket/api"
import { DocketError } from "@docket/core"
import { z } from "zod"
import { keyPrefix } from "./create-accounts.ts"
import { sendWebResponse, setCookies, toWebRequest } from "./forward-request.ts"
import { forwardedRoutes, guessedRoutes } from "./forwarded-routes.ts"
import { linkGone } from "./one-time-links.ts"
import type { OpenStreams } from "./open-streams.ts"
import { Email, Password, PersonName } from "./people.ts"
import { sendTooMany } from "./send-too-many.ts"
import type { SignInLimit } from "./sign-in-limit.ts"
import type { TeamParts } from "./team-parts.ts"

export interface AccountRoutesDeps {
  parts: TeamParts
  limit: SignInLimit
  streams: OpenStreams
  /** Of the client, not of a proxy in front. */
  addressOf(req: IncomingMessage): string
  log(text: string, error: unknown): void
}

const base = "/api/auth"
const Secret = z.object({ secret: z.string().min(1).max(200) })
const SignIn = z.object({ email: Email, password: z.string().max(128) })
const FirstOwner = Secret.extend({
  name: PersonName,
  email: Email,
  password: Password,
  workspace: z.string().trim().min(1).max(80).default("Docket"),
})
const Acceptance = Secret.extend({ name: PersonName.optional(), password: z.string().max(128) })
const Reset = Secret.extend({ password: Password })

const openPages = new Set(["/welcome", "/join", "/reset"])

/**
 * The routes of accounts, all below `/api/auth`, JSON in and out: signing in, the links that let people in, and those of
 * better-auth that `forwarded-routes.ts` names.
 */
export function createAccountRoutes({ parts, limit, streams, addressOf, log }: AccountRoutesDeps): AccountFace {
  const { accounts, firstOwner, invitations, people, links, cache, settings } = parts

  /** Signs in with a password, as a browser: with its cookie, or on to the second factor. */
  const signIn = async (req: IncomingMessage, res: ServerResponse, given: { email: string; password: string }) => {
    const address = addressOf(req)
    const wait = await limit.take(address, given.email)
    if (wait !== null) return sendTooMany(res, wait)
    const { email, password } = given
    const request = await toWebRequest(req, { url: settings.url, address }, { email, password })
    const response = await accounts.api.signInEmail({
      body: { email, password },
      headers: request.headers,
      asResponse: true,
    })
    if (!response.ok)
      throw new DocketError("wrong_password", "The e-mail address or the password is not right. Try again.")
    await limit.forgive(address, email)
    setCookies(response, res)
    const answer = z.object({ twoFactorRedirect: z.boolean().optional() }).parse(await response.json())
    sendJson(res, 200, { ok: true, twoFactor: answer.twoFactorRedirect ?? false })
  }

  /** A link that is tried counts for its place, so that nobody tries many. */
  const trying = async (req: IncomingMessage, res: ServerResponse, work: () => Promise<void>) => {
    const wait = await limit.take(addressOf(req), "links")
    if (wait !== null) return sendTooMany(res, wait)
    await work()
    await limit.forgive(addressOf(req), "links")
  }

  const own: Record<string, (req: IncomingMessage, res: ServerResponse) => Promise<void>> = {
    "POST /sign-in/email": async (req, res) => signIn(req, res, await readAs(req, SignIn)),
    "POST /first-owner/link": async (req, res) => {
      if ((await parts.auth.identify(req))?.isOperator !== true)
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
      trying(req, res, async () => sendJson(res, 200, await invitations.look((await readAs(req, Secret)).secret))),
    "POST /invitation/accept": (req, res) =>
      trying(req, res, async () => {
        const { secret, name, password } = await readAs(req, Acceptance)
        const { hasAccount } = await invitations.look(secret)
        // Whoever has an account shows that they know its password; the rules are for new ones.
        const chosen = hasAccount
          ? { password }
          : { name: PersonName.parse(name ?? ""), password: Password.parse(password) }
        const person = await invitations.accept(secret, chosen)
        cache.clear()
        await signIn(req, res, { email: person.email, password })
      }),
    "POST /reset/look": (req, res) =>
      trying(req, res, async () => {
        if ((await links.look("reset", (await readAs(req, Secret)).secret)) === null) throw linkGone()
        sendJson(res, 200, { ok: true })
      }),
    "POST /reset": (req, res) =>
      trying(req, res, async () => {
        const { secret, password } = await readAs(req, Reset)
        const person = await links.consume("reset", secret)
        if (person === null) throw linkGone()
        await people.setPassword(person, password)
        cache.clear()
        sendJson(res, 200, { ok: true })
      }),
  }

  const forward = async (req: IncomingMessage, res: ServerResponse, route: string) => {
    const address = addressOf(req)
    if (guessedRoutes.has(route)) {
      const wait = await limit.take(address, route)
      if (wait !== null) return sendTooMany(res, wait)
    }
    const path = route === "POST /sign-out" ? `${base}/sign-out` : undefined
    const response = await accounts.handler(await toWebRequest(req, { url: settings.url, address, path }))
    if (response.ok && guessedRoutes.has(route)) await limit.forgive(address, route)
    // What it did may have changed who is who.
    if (req.method === "POST") cache.clear()
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
      const isLogout = path === "/api/logout"
      if (!isLogout && !path.startsWith(`${base}/`)) return false
      setSafeHeaders(res)
      const route = isLogout ? `${req.method} /sign-out` : `${req.method} ${path.slice(base.length)}`
      try {
        const serveOwn = own[route]
        if (serveOwn) await serveOwn(req, res)
        else if (forwardedRoutes.has(route)) await forward(req, res, route)
        else sendRefusal(res, { status: 404, code: "NOT_FOUND", message: "there is nothing at this address" })
      } catch (error) {
        sendError(res, error instanceof z.ZodError ? invalid(error) : error, log)
      }
      return true
    },
  }
}

/** A JSON body in the form that is expected; what is wrong with it is said. @throws invalid_input, ZodError */
async function readAs<T extends z.ZodType>(req: IncomingMessage, schema: T): Promise<z.output<T>> {
  return schema.parse(await readJson(req, z.unknown()))
}

function invalid(error: z.ZodError): DocketError {
  return new DocketError("invalid_input", error.issues[0]?.message ?? "the request does not have the expected form")
}
