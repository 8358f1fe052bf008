import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { z } from "zod"

const Manifest = z.object({ bin: z.object({ docket: z.string() }) })

/** ms that the program may take to say its version: far more than it needs on a slow machine. */
const patience = 60_000

/**
 * Installs a package in a directory of its own, and starts its program there.
 * @param file absolute
 * @returns the version that the program says
 * @throws when npm cannot install it, or when the program does not start
 */
export async function tryPackage(
  npm: (args: readonly string[], directory: string) => Promise<number>,
  file: string,
): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-trial-"))
  try {
    // With a prefix, npm looks for no project above this directory.
    const code = await npm(["install", "--prefix", directory, "--no-audit", "--no-fund", file], directory)
    if (code !== 0) throw new Error("npm could not install it; what it printed says why")
    const root = path.join(directory, "node_modules/docket")
    const { bin } = Manifest.parse(JSON.parse(await readFile(path.join(root, "package.json"), "utf8")))
    return await saidVersion(path.join(root, bin.docket))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function saidVersion(program: string): Promise<string> {
  const options = { timeout: patience, killSignal: "SIGKILL" as const }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, "--version"], options)
    return stdout.trim()
  } catch (cause) {
    throw new Error(reasonOf(cause), { cause })
  }
}

/** The line of the output that names the error, or the last one. */
function reasonOf(cause: unknown): string {
  const { killed, stderr } = cause as { killed?: boolean; stderr?: string }
  if (killed) return `it did not answer in ${patience / 1000} s`
  const lines = (stderr ?? "").split("\n").flatMap((line) => line.trim() || [])
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? "it ended without a word"
}
