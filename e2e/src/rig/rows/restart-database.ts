import { setTimeout as delay } from "node:timers/promises"
import { noted, type Round, type Row, said } from "../round.ts"
import { until } from "../until.ts"

const sessions = 10
const promptsEach = 10
/** Between two prompts (ms): 25 in a second. */
const everyMs = 40

export const restartDatabase: Row = {
  name: "8",
  about: "PostgreSQL is killed and started again while 25 prompts come in each second",
  expects: { "first prompt": "≤ 5 s", "first claim": "≤ 5 s" },
  async play(round) {
    const { cluster, mark } = round
    const roots: string[] = []
    for (let at = 0; at < sessions; at++) {
      roots.push(await round.begin(at % 3 === 2 ? cluster.projects.lone : cluster.projects.storage))
    }
    for (let at = 0; at < sessions * promptsEach; at++)
      round.script({ [`Say ${mark}-${at}.`]: [noted(`${mark}-${at}`), ...said(`Said ${at}.`)] })
    const [root = ""] = roots
    const sent = sendAll(round, roots)
    await until("the first turn is claimed", async () => (await round.stored(root)).some(({ epoch }) => epoch === 1))
    await cluster.postgres.restart?.("immediate")
    const ready = Date.now()
    await flow(round, roots, ready)
    round.count("prompts sent again", await sent)
    round.count("prompts", sessions * promptsEach)
    for (const sessionID of roots) await round.settled(sessionID)
  },
}

/** Sends prompts to the sessions by turns, each after the session's last one was accepted. Resolves with how many were refused. */
async function sendAll(round: Round, roots: readonly string[]): Promise<number> {
  let refused = 0
  const last = new Map<string, Promise<void>>()
  for (let at = 0; at < sessions * promptsEach; at++) {
    const sessionID = roots[at % sessions] ?? ""
    const send = async () => {
      if ((await round.prompt(sessionID, `Say ${round.mark}-${at}.`)) > 0) refused++
    }
    last.set(sessionID, (last.get(sessionID) ?? Promise.resolve()).then(send))
    await delay(everyMs)
  }
  await Promise.all(last.values())
  return refused
}

/** Notes when prompts are accepted, and turns claimed, after the database is there again. */
async function flow(round: Round, roots: readonly string[], ready: number): Promise<void> {
  const later = async (fits: (row: { status: string | null }) => boolean) => {
    const rows = (await Promise.all(roots.map((root) => round.stored(root).catch(() => [])))).flat()
    return rows.find((row) => row.table === "Turn" && row.at >= ready && fits(row)) ?? null
  }
  const prompt = await until("a prompt is accepted", () => later(({ status }) => status === "queued"))
  round.figure("first prompt", prompt.at - ready)
  const claim = await until("a turn is claimed", () => later(({ status }) => status === "running"))
  round.figure("first claim", claim.at - ready)
}
