import type { Measurement, Stage } from "../measurement.ts"
import { onceAStage } from "../once-a-stage.ts"
import { percentile } from "../percentile.ts"
import { type Latencies, measureLatencies } from "./latency.ts"
import { type LoadPlan, type LoadResult, runLoad } from "./load.ts"
import { openNodes, openSingle } from "./open-nodes.ts"

/** A fifth of the sessions work, and each session works once. */
const small: LoadPlan = { sessions: 200, active: 40, turns: 200, seconds: Number.POSITIVE_INFINITY }
/** As many turns as there are in ten minutes. */
const large: LoadPlan = { sessions: 1_000, active: 200, turns: Number.POSITIVE_INFINITY, seconds: 600 }

const load = "Turns of two calls and half a minute of text, 20 pieces a second; each session is read twice."
const nodes = "Two web nodes and three workers on PostgreSQL, all on this machine, with the provider and the readers."

/** Several nodes on one database. */
export const nodesMeasurements: Measurement[] = [
  latency("nodes-start", "accepted prompt at a web node until a worker begins, 95th percentile", 20, "starts"),
  latency("nodes-ask", "call with a prompt there until the worker asks its model, 95th percentile", 120, "asks"),
  latency("nodes-text", "text to a reader at another web node, 95th percentile", 150, "text"),
  latency("nodes-rows", "an ended call to a reader at another web node, 95th percentile", 150, "rows"),
  crowd("time of 200 turns / of one process", "×", 1.3, ({ wall }, single) => wall / single.wall),
  crowd("99th percentile of the text / of one process", "×", 1.3, ({ text }, single) => p99(text) / p99(single.text)),
  crowd("faults", "", 0, ({ problems }) => problems.length),
  throng("wait of a prompt, 99th percentile", "ms", 500, ({ waits }) => p99(waits)),
  throng("text, 99th percentile", "ms", 400, ({ text }) => p99(text)),
  throng("ended call, 99th percentile", "ms", 400, ({ rows }) => p99(rows)),
  throng("most memory of a web node", "MiB", 400, ({ memory: { "web 1": one = 0, "web 2": two = 0 } }) =>
    Math.max(one, two),
  ),
  throng("faults", "", 0, ({ problems }) => problems.length),
]

function p99(values: readonly number[]): number {
  return percentile(values, 0.99)
}

function latency(name: string, label: string, aim: number, pick: keyof Latencies): Measurement {
  const measure = async (stage: Stage) => percentile((await latencies(stage))[pick], 0.95)
  return { name, label, unit: "ms", aim, opencode: "–", conditions: nodes, measure }
}

type Unit = Measurement["unit"]

function crowd(
  label: string,
  unit: Unit,
  aim: number,
  pick: (result: LoadResult, single: LoadResult) => number,
): Measurement {
  const measure = async (stage: Stage) => {
    const { several, single } = await crowds(stage)
    return pick(several, single)
  }
  const named = { name: "nodes-200", label: `200 sessions on nodes: ${label}`, onlyByName: true as const }
  return { ...named, unit, aim, opencode: "–", conditions: `${nodes} ${load}`, measure }
}

function throng(label: string, unit: Unit, aim: number, pick: (result: LoadResult) => number): Measurement {
  const measure = async (stage: Stage) => pick(await throngs(stage))
  const named = { name: "nodes-1000", label: `1,000 sessions on nodes: ${label}`, onlyByName: true as const }
  return { ...named, unit, aim, opencode: "–", conditions: `${nodes} ${load}`, measure }
}

const latencies = onceAStage(async (stage) => {
  await using opened = await openNodes(stage)
  return await measureLatencies(opened, stage)
})

const crowds = onceAStage(async (stage) => ({
  single: await loadOn(openSingle, "one process", stage, small),
  several: await loadOn(openNodes, "nodes", stage, small),
}))

const throngs = onceAStage((stage) => loadOn(openNodes, "nodes", stage, large))

async function loadOn(open: typeof openNodes, name: string, stage: Stage, plan: LoadPlan): Promise<LoadResult> {
  await using opened = await open(stage)
  const result = await runLoad(opened, stage, plan)
  tell(`${plan.sessions} sessions, ${result.waits.length} turns, ${name}`, result)
  return result
}

/** Prints what the rows of the table leave out. */
function tell(title: string, { wall, text, rows, waits, processor, memory, problems }: LoadResult): void {
  const spread = (values: readonly number[]) =>
    [0.5, 0.95, 0.99, 1].map((share) => percentile(values, share).toFixed(0)).join(" / ")
  const counts = new Map<string, number>()
  for (const problem of problems) counts.set(problem, (counts.get(problem) ?? 0) + 1)
  const lines = [
    `${title}: ${wall.toFixed(1)} s`,
    `  text p50 / p95 / p99 / max ${spread(text)} ms of ${text.length}`,
    `  calls ${spread(rows)} ms of ${rows.length}`,
    `  waits ${spread(waits)} ms of ${waits.length}`,
    ...Object.entries(processor).map(
      ([process, seconds]) =>
        `  ${process}: ${seconds.toFixed(1)} s of a processor, ${((seconds / wall) * 100).toFixed(0)} %${
          memory[process] === undefined ? "" : `, at most ${memory[process].toFixed(0)} MiB`
        }`,
    ),
    ...[...counts].map(([problem, count]) => `  ${count} × ${problem}`),
  ]
  process.stderr.write(`${lines.join("\n")}\n`)
}
