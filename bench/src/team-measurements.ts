import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"
import type { Measurement, Stage } from "./measurement.ts"
import { createWorkplace, freePort } from "./workplace.ts"

const calls = 1_000
/** As many as a busy program has open. */
const connections = 8

/** What accounts cost a request. */
export const teamMeasurements: Measurement[] = [
  {
    name: "sign-in-state",
    label: "who a signed-in browser is, for each request",
    unit: "ms",
    aim: 1,
    opencode: "–",
    measure: (stage) => withTeam(stage, signInState),
  },
  {
    name: "key-calls",
    label: `${calls.toLocaleString("en")} calls with a program's key, ${connections} at a time`,
    unit: "ms",
    aim: 1_000,
    opencode: "–",
    measure: (stage) => withTeam(stage, keyCalls),
  },
]

interface Team {
  origin: string
  /** Headers of the first owner's browser. */
  cookie: Record<string, string>
  /** Of whoever runs the service, whom no table is asked about. */
  token: Record<string, string>
}

const MadeKey = z.object({ result: z.object({ data: z.object({ key: z.string() }) }) })

/** Starts a service for a team, with its first owner. */
async function withTeam(stage: Stage, measure: (team: Team) => Promise<number>): Promise<number> {
  const workplace = await createWorkplace(stage)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  await mkdir(workplace.data, { mode: 0o700 })
  await writeFile(
    path.join(workplace.data, "team.json"),
    JSON.stringify({ url: origin, limits: { perPerson: 1_000_000 } }),
  )
  const server = await workplace.startServer({ port })
  try {
    const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }
    const secret = new URL(server.loginUrl).hash.slice(1)
    const made = await fetch(`${origin}/api/auth/first-owner`, post(origin, { secret, ...person }))
    const cookie = made.headers.getSetCookie().map((each) => each.split(";")[0])
    const token = (await readFile(server.tokenFile, "utf8")).trim()
    return await measure({
      origin,
      cookie: { cookie: cookie.join("; "), "sec-fetch-site": "same-origin" },
      token: { authorization: `Bearer ${token}` },
    })
  } finally {
    await server.stop()
    await workplace.remove()
  }
}

/** How much longer a request of a browser takes than one by the service's own token, in the mean. */
async function signInState({ origin, cookie, token }: Team): Promise<number> {
  const mean = async (headers: Record<string, string>) => {
    const start = performance.now()
    for (let count = 0; count < calls; count += 1) await ask(origin, headers)
    return (performance.now() - start) / calls
  }
  // Both ways are compiled and connected first.
  await mean(token)
  await mean(cookie)
  const byToken = await mean(token)
  return Math.max(0, (await mean(cookie)) - byToken)
}

async function keyCalls({ origin, cookie }: Team): Promise<number> {
  const init = post(origin, { name: "bench", role: "viewer" })
  const made = await fetch(`${origin}/api/trpc/team.createKey`, { ...init, headers: { ...init.headers, ...cookie } })
  const { key } = MadeKey.parse(await made.json()).result.data
  const headers = { authorization: `Bearer ${key}` }
  const round = async () => {
    let left = calls
    const start = performance.now()
    const work = async () => {
      while (left-- > 0) await ask(origin, headers)
    }
    await Promise.all(Array.from({ length: connections }, work))
    return performance.now() - start
  }
  await round()
  return await round()
}

async function ask(origin: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`${origin}/api/trpc/me.get`, { headers })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`me.get answers ${response.status}`)
}

function post(origin: string, body: object) {
  return { method: "POST", headers: { "content-type": "application/json", origin }, body: JSON.stringify(body) }
}
