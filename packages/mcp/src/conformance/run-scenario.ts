import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { readChecks } from "./read-checks.ts"

const suite = path.join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js")
const client = path.join(import.meta.dirname, "client.ts")

export interface ScenarioResult {
  isPassed: boolean
  /** Checks that passed. */
  successes: number
  /** What went wrong, in words. */
  failures: string[]
  /** What the suite and the client wrote. */
  output: string
}

/** Runs one scenario of the conformance suite against Docket's client. */
export async function runScenario(name: string): Promise<ScenarioResult> {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-suite-"))
  try {
    const { output, exit } = await run(process.execPath, [
      ...[suite, "client", "--command", `"${process.execPath}" "${client}"`, "--scenario", name],
      ...["--timeout", "45000", "-o", directory],
    ])
    const { successes, failures } = await readChecks(directory)
    return { isPassed: exit === 0 && failures.length === 0 && successes > 0, successes, failures, output }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Everything that a program writes, once it has ended, and its exit code. */
function run(file: string, args: string[]): Promise<{ output: string; exit: number | null }> {
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] })
  const pieces: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => pieces.push(data.toString()))
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (exit) => resolve({ output: pieces.join(""), exit }))
  })
}
