import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Operation } from "../operation.ts"

const program = fileURLToPath(new URL("../../operate.js", import.meta.url))

/** The program for operator commands, in a separate process. */
export interface OperatorProcess {
  child: ChildProcess
  exit: Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Resolves when its output matches. */
  said(pattern: RegExp): Promise<void>
}

export function startOperation(operation: Operation, env: Record<string, string> = {}): OperatorProcess {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  child.send(operation)
  const written = { stdout: "", stderr: "" }
  child.stdout?.on("data", (chunk: Buffer) => {
    written.stdout += chunk
  })
  child.stderr?.on("data", (chunk: Buffer) => {
    written.stderr += chunk
  })
  const exit = once(child, "close").then(([code]: (number | null)[]) => ({ code: code ?? null, ...written }))
  const said = async (pattern: RegExp) => {
    while (!pattern.test(written.stderr)) {
      if (child.stderr === null || child.exitCode !== null) throw new Error(`it ended before: ${written.stderr}`)
      await Promise.race([once(child.stderr, "data"), exit])
    }
  }
  return { child, exit, said }
}
