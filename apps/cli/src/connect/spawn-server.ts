import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { z } from "zod"
import { serverProgram } from "../server-program.ts"
import { UnreachableError } from "../unreachable-error.ts"
import { UsageError } from "../usage-error.ts"
import type { Connection } from "./connection.ts"

/** A person who waits longer than this (ms) is told for what. */
const noticeAfterMs = 1_000

/** The line that the service prints once it is ready. */
const Hello = z.object({ url: z.string(), tokenFile: z.string() })

/**
 * Starts a service for one run, without the web app, on a free port. The service watches the channel to this process,
 * so it ends with it in any case. @throws UsageError with the service's own message when it does not start
 */
export async function spawnServer(data: string, project: string): Promise<Connection> {
  const args = ["--no-web", "--json", "--port", "0", "--data", data, "--project", project]
  const child = spawn(process.execPath, [serverProgram, ...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A process group of its own: Ctrl-C reaches only the CLI, which then stops the turn and the service in order.
    detached: true,
  })
  let stderr = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    // Only the end is needed: it has the reason when the service ends.
    stderr = (stderr + chunk.toString()).slice(-4_000)
  })
  const notice = setTimeout(() => process.stderr.isTTY && process.stderr.write("Starting Docket…\n"), noticeAfterMs)
  child.once("exit", () => clearTimeout(notice))
  if (child.stdout === null) throw new Error("the service has no stdout")
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith("{")) continue
    clearTimeout(notice)
    // The rest of the output is not used, and must not fill the pipe.
    child.stdout.resume()
    const { url, tokenFile } = Hello.parse(JSON.parse(line))
    const ended = new AbortController()
    child.once("exit", () =>
      ended.abort(new UnreachableError(`the service ended before the turn did${lastLine(stderr)}`)),
    )
    const close = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, "exit")
      child.kill("SIGTERM")
      // Ten seconds for a clean stop.
      const kill = setTimeout(() => child.kill("SIGKILL"), 10_000)
      await exit
      clearTimeout(kill)
    }
    return { url, tokenFile, isLasting: false, close, ended: ended.signal }
  }
  throw new UsageError(stderr.trim().split("\n").at(-1) || "the service did not start")
}

/** The reason that an ended service printed: its last line, apart from the one that says it is stopping. */
function lastLine(stderr: string): string {
  const lines = stderr.trim().split("\n")
  const last = lines
    .filter((line) => line !== "docket: stopping")
    .at(-1)
    ?.replace(/^docket: /, "")
  return last ? `: ${last}` : ""
}
