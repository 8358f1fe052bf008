import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { nodeTimers } from "@docket/core/timers"
import { createLanguageServers } from "@docket/lsp"
import { createServerRoom } from "@docket/lsp/server-room"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"
import { openProgramStage } from "./program-stage.ts"

const rounds = 5
const root = path.resolve(import.meta.dirname, "../..")
/** A file that much of `packages/core` depends on. */
const edited = "packages/core/src/acts/tool/tool.ts"

/** The time until a warm TypeScript server in the sandbox has said what an edit in `packages/core` made wrong. */
export const diagnosticsMeasurements: Measurement[] = [
  {
    name: "diagnostics",
    label: "TypeScript's errors after an edit in packages/core",
    unit: "ms",
    aim: 300,
    opencode: "–",
    inProcess: true,
    measure: timed,
  },
]

/** The median time in ms of checks after edits that each make one error, or mend it. */
async function timed(): Promise<number> {
  await using stage = await openProgramStage({ readable: [root] })
  for (const name of ["packages/core/src", "packages/core/package.json", "packages/core/tsconfig.json"])
    cpSync(path.join(root, name), path.join(stage.worktree, name), { recursive: true })
  for (const name of ["node_modules", "packages/core/node_modules"])
    symlinkSync(path.join(root, name), path.join(stage.worktree, name))
  const servers = createLanguageServers({
    ...{ timers: nodeTimers, now: () => performance.now(), clock: Date.now },
    room: createServerRoom(),
  })
  const file = path.join(stage.worktree, edited)
  const good = readFileSync(file, "utf8")
  const bad = `${good}\nexport const wrong: number = "text"\n`
  const check = async (text: string, before: string, expected: RegExp) => {
    writeFileSync(file, text)
    const late = Promise.withResolvers<string>()
    const start = performance.now()
    const said = await servers.check({ ...stage.place, settings: onlyTypescript }, file, {
      ...{ before, signal: new AbortController().signal, onWait: () => {}, onLate: late.resolve },
    })
    const told = said?.includes("not known yet") ? await late.promise : said
    if (!expected.test(told ?? "")) throw new Error(`the server said otherwise than expected: ${told}`)
    return performance.now() - start
  }
  try {
    // The first ones start the server and load the project.
    await check(bad, good, /1 new error/)
    await check(good, bad, /1 solved/)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      times.push(await check(bad, good, /1 new error/))
      times.push(await check(good, bad, /1 solved/))
    }
    return median(times)
  } finally {
    await servers.close()
  }
}

const onlyTypescript = { biome: { disabled: true }, eslint: { disabled: true } }
