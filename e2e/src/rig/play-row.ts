import { cp, mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { createRandom } from "../watch/random.ts"
import { type Cluster, noteInLogs } from "./cluster.ts"
import { playRound, type RoundResult, type Row } from "./round.ts"

interface PlayOptions {
  rounds: number
  seed: number
  /** Where the logs of a failed round are kept. */
  folder: string
  onFault?(text: string): void
}

/** Plays rounds of a row, each with a seed of its own that the seed of the run gives. */
export async function playRow(
  cluster: Cluster,
  row: Row,
  { rounds, seed, folder, onFault }: PlayOptions,
): Promise<RoundResult[]> {
  const results: RoundResult[] = []
  for (let number = 1; number <= rounds; number++) {
    const mark = `${row.name}-${seed}-${number}`
    noteInLogs(cluster, `round ${mark}`)
    const result = await playRound(row, { cluster, random: createRandom(seed + number), mark })
    results.push(result)
    if (result.faults.length === 0) continue
    const kept = path.join(folder, mark)
    await mkdir(kept, { recursive: true })
    await cp(cluster.logs, kept, { recursive: true })
    await writeFile(path.join(kept, "faults.txt"), `${result.faults.join("\n")}\n`)
    await writeFile(path.join(kept, "history.json"), JSON.stringify(result.history, null, 1))
    onFault?.(`FAULT in round ${mark}, kept in ${kept}:\n  ${result.faults.slice(0, 10).join("\n  ")}`)
  }
  return results
}
