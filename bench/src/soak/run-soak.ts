import { readFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { createDocketClient, type DocketClient } from "@docket/client"
import { openFiles } from "../open-files.ts"
import { residentMemory } from "../resident-memory.ts"
import { createWorkplace, type Server, startProvider } from "../workplace.ts"
import { activities, type Person } from "./activities.ts"
import { createRandom } from "./random.ts"

export interface SoakOptions {
  minutes: number
  seed: number
}

export interface SoakResult {
  /** Sessions that are not idle at the end, and turns that have not ended. */
  busy: number
  /** Calls that failed although they should not. */
  refused: number
  /** Resident memory after an idle minute, divided by that in minute two. */
  memory: number
  /** Open files after an idle minute, divided by those after every activity was done once. */
  files: number
}

const people = 4
/** One call in this many fails at the provider. */
const failEvery = 10
/** Longer than all retries of a failed call together. */
const settleWithinMs = 180_000

/**
 * A day of four users in two projects: all kinds of work, stops, shares, removals, and a provider that fails one call
 * in ten; then an idle minute.
 */
export async function runSoak(options: SoakOptions & { checkout: string }): Promise<SoakResult> {
  const { minutes, seed, checkout } = options
  const provider = await startProvider({ failEvery })
  const workplace = await createWorkplace({ provider, checkout })
  const server = await workplace.startServer()
  const random = createRandom(seed)
  const tally = createTally()
  const client = createDocketClient({ url: server.url, token: (await readFile(server.tokenFile, "utf8")).trim() })
  try {
    const projects = [workplace.project, await workplace.addProject("second")]
    const everyone: Person[] = []
    for (let index = 0; index < people; index++) {
      const { id: projectID } = await client.project.open.mutate({ directory: projects[index % projects.length] ?? "" })
      everyone.push({ client, url: server.url, projectID, sessions: [], random })
    }
    const [first] = everyone
    for (const activity of activities) if (first) await tally.count(activity.name, () => activity.act(first))
    await settled(client)
    const filesAtFirst = openFiles(server.pid)
    const memoryInMinuteTwo = await work(everyone, { server, tally, minutes })
    const busy = await settled(client)
    await delay(60_000)
    tally.print(`seed ${seed}, ${minutes} min`)
    return {
      busy,
      refused: tally.refused(),
      memory: residentMemory(server.pid) / memoryInMinuteTwo,
      files: filesAtFirst === null ? 1 : (openFiles(server.pid) ?? 0) / filesAtFirst,
    }
  } finally {
    await server.stop()
    await provider.stop()
    await workplace.remove()
  }
}

/** All users work until the time is over. Resolves with the median memory (MiB) of minute two. */
async function work(
  everyone: Person[],
  { server, tally, minutes }: { server: Server; tally: Tally; minutes: number },
): Promise<number> {
  const start = performance.now()
  const end = start + minutes * 60_000
  const samples: number[] = []
  const watch = setInterval(() => {
    const minute = (performance.now() - start) / 60_000
    if (minute >= 1 && minute < 2) samples.push(residentMemory(server.pid))
  }, 1_000)
  await Promise.all(
    everyone.map(async (person) => {
      while (performance.now() < end) {
        const activity = choose(person.random())
        await tally.count(activity.name, () => activity.act(person))
        await delay(person.random() * 300)
      }
    }),
  )
  clearInterval(watch)
  const sorted = samples.sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? residentMemory(server.pid)
}

function choose(chance: number): (typeof activities)[number] {
  const all = activities.reduce((sum, { share }) => sum + share, 0)
  let left = chance * all
  const chosen = activities.find(({ share }) => {
    left -= share
    return left < 0
  })
  if (chosen === undefined) throw new Error("there is no activity")
  return chosen
}

/** Waits until nothing works any more. Returns how many sessions and turns are still busy when it gives up. */
async function settled(client: DocketClient): Promise<number> {
  const giveUp = performance.now() + settleWithinMs
  let busy = await countBusy(client)
  while (busy > 0 && performance.now() < giveUp) {
    await delay(500)
    busy = await countBusy(client)
  }
  return busy
}

async function countBusy(client: DocketClient): Promise<number> {
  let busy = 0
  let cursor: string | undefined
  do {
    const page = await client.session.list.query({ limit: 200, ...(cursor !== undefined && { cursor }) })
    for (const { session, running } of page.items) {
      const { turns, tasks } = await client.session.tree.query({ sessionID: session.id })
      busy += running + turns.length + tasks.filter(({ state }) => state === "queued" || state === "running").length
    }
    cursor = page.cursor ?? undefined
  } while (cursor !== undefined)
  return busy
}

type Tally = ReturnType<typeof createTally>

/** Counts what was done and what was refused. */
function createTally() {
  const done = new Map<string, number>()
  const refusals = new Map<string, number>()
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const lines = (counts: Map<string, number>) => [...counts].map(([key, count]) => `  ${count} × ${key}`)
  return {
    async count(name: string, act: () => Promise<void>) {
      try {
        await act()
        add(done, name)
      } catch (error) {
        add(refusals, `${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    refused: () => [...refusals.values()].reduce((sum, count) => sum + count, 0),
    print(title: string) {
      process.stderr.write(`${[`soak: ${title}`, ...lines(done), ...lines(refusals)].join("\n")}\n`)
    },
  }
}
