import { type AgentUseCases, missingSession } from "@docket/core"
import type { Asker } from "@docket/core/operations"
import { type Project, SessionID } from "@docket/core/schema"
import type { Context, Hono, MiddlewareHandler } from "hono"
import { z } from "zod"
import { maxBodyBytes } from "../http/body-limit.ts"
import type { Ingress } from "../http/ingress.ts"
import { readBody } from "../http/read-body.ts"
import { streamRetryAfter, tooManyStreams } from "../http/stream-limit.ts"
import { chosenProject, directoryOf, projectIDOf } from "../named-project.ts"
import { askerOf } from "../operation-procedures.ts"
import type { V1Env } from "../v1/v1-app.ts"
import { problemOf } from "../v1/v1-input.ts"
import { OpencodeError } from "./opencode-error.ts"

export type OpencodeApp = Hono<V1Env>
export type OpencodeContext = Context<V1Env>
export interface OpencodeDeps {
  ingress: Ingress
  version: string
  /** Describes the routes of the service. */
  document(): { paths?: object }
  clock(): number
  /** Logs unexpected errors. */
  log(text: string, error: unknown): void
  /** Logs a line of a client. */
  report(line: string): void
}

/** What every route takes from a request. */
export interface OpencodeCall {
  agents: AgentUseCases
  asker: Asker
  /** Scheme, host and port that the caller used. */
  origin: string
  /** The directory that the request names; null for none. */
  directory: string | null
  /** The only project that the caller may reach; undefined for all. */
  onlyIn: string | undefined
}

/** @throws OpencodeError 404 for a tenant without agents */
export function callOf(c: OpencodeContext, { ingress }: Pick<OpencodeDeps, "ingress">): OpencodeCall {
  const { identity, recorder, tenant } = c.var
  if (tenant.agents === null) throw new OpencodeError(404, "This token is of a tenant that runs no agents.")
  const origin = ingress.originOf(c.env.incoming)
  const asker = { ...askerOf({ identity, origin, recorder }), actor: { kind: "api" as const, name: identity.name } }
  const named = { query: c.req.query("directory"), header: c.req.header("x-opencode-directory") }
  return { agents: tenant.agents, asker, origin, directory: directoryOf(named), onlyIn: identity.projectID }
}

/** The project that the request names, or the one that was opened last. @throws OpencodeError 404 */
export async function projectOf({ agents, directory, onlyIn }: OpencodeCall): Promise<Project> {
  if (onlyIn === undefined) return chosenProject(agents, directory)
  const found = (await agents.project.list()).find(({ id }) => id === onlyIn)
  if (found === undefined) throw new OpencodeError(404, "The project of this plugin is not open any more.")
  return found
}

/** The id of the project that the request names; undefined for all projects. @throws OpencodeError 404 */
export async function namedProjectID({ agents, directory, onlyIn }: OpencodeCall): Promise<string | undefined> {
  return onlyIn ?? projectIDOf(agents, directory)
}

/** Answers for a session of another project as for one that is not there. */
export function keepsToProject(deps: Pick<OpencodeDeps, "ingress">): MiddlewareHandler<V1Env> {
  return async (c, next) => {
    const sessionID = SessionID.safeParse(c.req.param("id")).data
    if (c.var.identity.projectID !== undefined && sessionID !== undefined)
      await requireWithin(callOf(c, deps), sessionID)
    await next()
  }
}

/** @throws DocketError session_not_found for a session of a project that the caller may not reach */
export async function requireWithin({ agents, onlyIn }: OpencodeCall, sessionID: string): Promise<void> {
  if (onlyIn === undefined) return
  const { projectID } = await agents.session.get({ sessionID })
  if (projectID !== onlyIn) throw missingSession(sessionID)
}

/** @throws OpencodeError 403 for a call of a plugin */
export function refusePlugins({ onlyIn }: Pick<OpencodeCall, "onlyIn">, words: string): void {
  if (onlyIn !== undefined) throw new OpencodeError(403, words)
}

/** The session id in the address, which the audit log then names. @throws OpencodeError 400 */
export function sessionIDOf(c: OpencodeContext): string {
  const id = SessionID.safeParse(c.req.param("id"))
  if (id.success) {
    c.var.recorder?.about({ session: id.data })
    return id.data
  }
  throw new OpencodeError(400, "The address has no session id. One begins with ses_.")
}

/** The JSON of the body; an empty one counts as `{}`. @throws OpencodeError 400, 413 */
export async function bodyOf<T extends z.ZodType>(c: OpencodeContext, schema: T): Promise<z.output<T>> {
  const body = await readBody(c.env.incoming, maxBodyBytes)
  if (body === null) throw new OpencodeError(413, `The body is larger than ${maxBodyBytes} bytes.`)
  const parsed = schema.safeParse(jsonOf(body.toString()))
  if (parsed.success) return parsed.data
  throw new OpencodeError(400, problemOf(parsed.error))
}

function jsonOf(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text)
  } catch {
    throw new OpencodeError(400, "The body is not JSON.")
  }
}

/** Counts an answer that stays open among the streams of the caller. @throws OpencodeError 429 */
export function takeStream(c: OpencodeContext): void {
  if (c.var.streams.open(c.var.identity, c.env.outgoing)) return
  c.env.outgoing.setHeader("retry-after", String(streamRetryAfter))
  throw new OpencodeError(429, tooManyStreams)
}

const Count = z.coerce.number().int().min(0)

/** A number in the address. @throws OpencodeError 400 */
export function countOf(c: OpencodeContext, name: string): number | undefined {
  const text = c.req.query(name)
  if (text === undefined) return undefined
  const count = Count.safeParse(text)
  if (count.success) return count.data
  throw new OpencodeError(400, `${name} is not a number.`)
}
