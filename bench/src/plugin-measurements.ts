import { writeFileSync } from "node:fs"
import path from "node:path"
import { createProgramRoom } from "@docket/core/program-room"
import { nodeTimers } from "@docket/core/timers"
import { createPluginSet } from "@docket/plugins/plugin-set"
import { z } from "zod"
import { extensionPlace } from "./extension-place.ts"
import type { Measurement } from "./measurement.ts"
import { openProgramStage } from "./program-stage.ts"

const rounds = 2_000

/** What one hook of a plugin costs: a message of 2 KB to its process and back. */
export const pluginMeasurements: Measurement[] = [
  row("plugin-hook", "hook of a plugin, in the middle", { aim: 0.2, share: 0.5 }),
  row("plugin-hook-slowest", "hook of a plugin, 1 in 100", { aim: 3, share: 0.99 }),
]

function row(name: string, label: string, { aim, share }: { aim: number; share: number }): Measurement {
  return { name, label, unit: "ms", aim, opencode: "–", inProcess: true, measure: () => timed(share) }
}

/** The time in ms that this share of the hooks stays below. */
async function timed(share: number): Promise<number> {
  await using stage = await openProgramStage({})
  const place = extensionPlace(stage)
  const file = path.join(stage.worktree, "plugin.ts")
  writeFileSync(
    file,
    `export default async () => ({ "tool.execute.before": async (_, output) => { output.args.n += 1 } })\n`,
  )
  const ref = { kind: "plugin", name: "bench", projectID: null } as const
  const entry = { ...{ ref, title: "bench", isOwn: true, isOff: false, origin: null, at: { file }, waits: null } }
  const more = { options: null, trusted: {}, readable: [], version: "1" }
  const set = createPluginSet(
    {
      ...{ timers: nodeTimers, now: () => performance.now(), serverUrl: () => "http://docket.invalid" },
      times: { load: 30_000, hook: 5_000, call: 5_000, pong: 1_000, dispose: 1_000 },
      ask: async () => new Response(null, { status: 204 }),
      room: createProgramRoom({ most: 1, names: "plugin processes" }),
      ...{ closing: new AbortController().signal, onUse: () => {} },
    },
    { place, entries: [{ ...entry, ...more }], config: {} },
  )
  const shape = z.object({ args: z.object({ n: z.number(), text: z.string() }) })
  const input = { tool: "write", sessionID: "ses_bench", callID: "call" }
  const text = "x".repeat(2_000)
  const times: number[] = []
  let n = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      const { output, failure } = await set.ask({
        hook: "tool.execute.before",
        input,
        output: { args: { n, text } },
        shape,
      })
      times.push(performance.now() - start)
      if (failure !== null) throw new Error(failure.message)
      n = output.args.n
    }
  } finally {
    await set.rest()
  }
  if (n !== rounds) throw new Error(`the hook was asked ${n} times`)
  return times.sort((a, b) => a - b)[Math.floor(rounds * share)] ?? Number.NaN
}
