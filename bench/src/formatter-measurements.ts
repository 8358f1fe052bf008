import { writeFileSync } from "node:fs"
import path from "node:path"
import { nodeTimers } from "@docket/core/timers"
import { createFormatters } from "@docket/lsp/formatters"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"
import { openProgramStage } from "./program-stage.ts"

const rounds = 5
const lineCount = 400
const programs = [path.resolve(import.meta.dirname, "../../node_modules/.bin")]

/** The cost of formatting what an edit of a file writes, in the sandbox: both texts, before and after the edit. */
export const formatterMeasurements: Measurement[] = [
  {
    name: "formatter",
    label: "edit of 400 lines formatted by biome",
    unit: "ms",
    aim: 300,
    opencode: "–",
    inProcess: true,
    measure: timed,
  },
]

/** The median time in ms of formatting a text whose file was formatted before. */
async function timed(): Promise<number> {
  await using stage = await openProgramStage({ programs })
  writeFileSync(path.join(stage.worktree, "biome.json"), '{ "formatter": { "indentStyle": "space" } }')
  const lines = Array.from({ length: lineCount }, (_, index) => `const value${index} = compute(${index});`)
  const before = `${lines.join("\n")}\n`
  const text = `${lines.with(200, "const value200   =  compute( 7 )").join("\n")}\n`
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    // A new one, which does not know the file yet.
    const formatters = createFormatters({ timers: nodeTimers })
    const file = path.join(stage.worktree, `file${round}.ts`)
    const start = performance.now()
    const [made] = await formatters.format(
      { ...stage.place, settings: undefined },
      [{ file, before, text }],
      new AbortController().signal,
    )
    times.push(performance.now() - start)
    if (made === null || made === undefined || !("text" in made) || !made.text.includes("value200 = compute(7);"))
      throw new Error(`the text was not formatted: ${JSON.stringify(made)}`)
  }
  return median(times)
}
