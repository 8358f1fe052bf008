import { z } from "zod"
import type { Measurement, Stage } from "./measurement.ts"
import { openTeam, type Team } from "./open-team.ts"
import { roleCheck } from "./role-check.ts"

const calls = 1_000
/** The number of connections of a busy program. */
const connections = 8

/** The cost of accounts per request. */
export const teamMeasurements: Measurement[] = [
  {
    name: "role-check",
    label: "whether a role may, for each call: the dearest kind of answer",
    unit: "ms",
    aim: 0.2,
    opencode: "–",
    inProcess: true,
    measure: async () => roleCheck(),
  },
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

const MadeKey = z.object({ key: z.string() })

async function withTeam(stage: Stage, measure: (team: Team) => Promise<number>): Promise<number> {
  const team = await openTeam(stage)
  try {
    return await measure(team)
  } finally {
    await team.close()
  }
}

/** How much longer a browser's request takes than one with the service's own token, on average. */
async function signInState({ origin, cookie, token }: Team): Promise<number> {
  const mean = async (headers: Record<string, string>) => {
    const start = performance.now()
    for (let count = 0; count < calls; count += 1) await ask(origin, headers)
    return (performance.now() - start) / calls
  }
  // Warm-up: code and connections of both kinds.
  await mean(token)
  await mean(cookie)
  const byToken = await mean(token)
  return Math.max(0, (await mean(cookie)) - byToken)
}

async function keyCalls({ origin, call }: Team): Promise<number> {
  const { key } = MadeKey.parse(await call("team.createKey", { name: "bench", role: "viewer" }))
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
