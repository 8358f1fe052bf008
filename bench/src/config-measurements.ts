import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadUserConfig } from "@docket/core/load-config"
import { noPrograms } from "@docket/core/test/no-programs"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"

const count = 200
const rounds = 7

/** The cost of reloading the configuration. */
export const configMeasurements: Measurement[] = [
  {
    name: "agents",
    label: "reload of 200 agent files, one of them changed",
    unit: "ms",
    aim: 50,
    opencode: "–",
    inProcess: true,
    measure: reloadAgents,
  },
]

async function reloadAgents(): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), "docket-bench-agents-"))
  try {
    const directory = join(home, ".config/docket/agents")
    await mkdir(directory, { recursive: true })
    const write = (index: number, round: number) =>
      writeFile(
        join(directory, `agent-${index}.md`),
        `---\ndescription: Agent ${index} of round ${round}.\nmode: subagent\npermission:\n  edit: deny\n---\nYou are agent ${index}.\n`,
      )
    for (let index = 0; index < count; index++) await write(index, 0)
    const input = { home, env: {}, programs: noPrograms }
    await loadUserConfig(input)
    const times: number[] = []
    for (let round = 1; round <= rounds; round++) {
      await write(round, round)
      const start = performance.now()
      const { config } = await loadUserConfig(input)
      times.push(performance.now() - start)
      const read = Object.keys(config.agent ?? {}).length
      if (read !== count) throw new Error(`${read} of ${count} agents were read`)
    }
    return median(times)
  } finally {
    await rm(home, { recursive: true })
  }
}
