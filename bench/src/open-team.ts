import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"
import { browserOf, makeFirstOwner } from "./first-owner.ts"
import type { Stage } from "./measurement.ts"
import { createWorkplace, freePort, type Server, type Workplace } from "./workplace.ts"

/** A service for a team, with its first owner. */
export interface Team {
  origin: string
  server: Server
  workplace: Workplace
  /** Headers of the first owner's browser. */
  cookie: Record<string, string>
  /** Header of the operator, which needs no database lookup. */
  token: Record<string, string>
  /** Calls a procedure as the owner and returns its result. */
  call(procedure: string, input: object): Promise<unknown>
  /** Adds this many members, one after another. Returns the headers of each member's browser. */
  join(count: number): Promise<Record<string, string>[]>
  close(): Promise<void>
}

/** High limits, because rate limits are not measured. */
const limits = { perPerson: 1_000_000, signIn: { perPlace: 100_000 }, links: { perPerson: 100_000 } }
const password = "correct horse battery"

const Answer = z.object({ result: z.object({ data: z.unknown() }) })
const Invited = z.object({ url: z.string() })

export async function openTeam(stage: Stage): Promise<Team> {
  const workplace = await createWorkplace(stage)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  await mkdir(workplace.data, { mode: 0o700 })
  await writeFile(path.join(workplace.data, "team.json"), JSON.stringify({ url: origin, limits }))
  const server = await workplace.startServer({ port })
  const close = async () => {
    await server.stop()
    await workplace.remove()
  }
  const post = async (route: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { "content-type": "application/json", origin, ...headers }
    const response = await fetch(origin + route, { method: "POST", headers: sent, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${route} answers ${response.status}: ${await response.text()}`)
    return response
  }
  let cookie: Record<string, string> = {}
  const call = async (procedure: string, input: object) =>
    Answer.parse(await (await post(`/api/trpc/${procedure}`, input, cookie)).json()).result.data
  const joinAs = async (index: number) => {
    const { url } = Invited.parse(await call("team.invite", { email: `person${index}@example.org`, role: "viewer" }))
    const body = { secret: new URL(url).hash.slice(1), name: `Person ${index}`, password }
    return browserOf(await post("/api/auth/invitation/accept", body))
  }
  try {
    cookie = await makeFirstOwner(origin, origin, server.loginUrl)
    const token = { authorization: `Bearer ${(await readFile(server.tokenFile, "utf8")).trim()}` }
    const join = async (count: number) => {
      const browsers: Record<string, string>[] = []
      for (let index = 0; index < count; index++) browsers.push(await joinAs(index))
      return browsers
    }
    return { origin, server, workplace, cookie, token, call, join, close }
  } catch (error) {
    await close()
    throw error
  }
}
