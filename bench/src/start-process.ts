import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

export interface StartedProcess {
  pid: number
  /** The first JSON line on stdout. */
  hello: unknown
  stop(): Promise<void>
}

/**
 * Starts a Node program and waits for its first JSON line on stdout. If the program dies, its stderr is in the error.
 */
export async function startProcess(
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<StartedProcess> {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  let stderr = ""
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-8_000)
  })
  const hello = await firstJsonLine(child, () => stderr)
  if (child.pid === undefined) throw new Error(`${args[0]} has no process id`)
  const onExit = (code: number | null, signal: string | null) =>
    process.stderr.write(`${child.spawnargs.join(" ")} ended by itself (${code ?? signal}):\n${stderr}\n`)
  child.once("exit", onExit)
  const stop = () => {
    child.off("exit", onExit)
    return stopProcess(child)
  }
  return { pid: child.pid, hello, stop }
}

async function firstJsonLine(child: ChildProcess, stderr: () => string): Promise<unknown> {
  if (!child.stdout) throw new Error("the process has no stdout")
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith("{")) continue
    // Later output is not read, but it must not fill the pipe.
    child.stdout.resume()
    return JSON.parse(line)
  }
  throw new Error(`${child.spawnargs.join(" ")} ended before it was ready:\n${stderr()}`)
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.kill("SIGTERM")
  const kill = setTimeout(() => child.kill("SIGKILL"), 10_000)
  await exit
  clearTimeout(kill)
}
