import { spawn } from "node:child_process"
import { once } from "node:events"
import { operatorProgram } from "../server-program.ts"

/** An operation on the data directory itself, without a service. Paths are absolute. */
export type Operation = { data: string; json: boolean } & (
  | { kind: "backup"; file: string; withKeys: boolean }
  | { kind: "restore"; file: string; replace: boolean; toFile: boolean }
  | { kind: "to-postgres"; url: string | null }
  | { kind: "to-nodes"; url: string | null; storage: string | null }
  | { kind: "check" }
  | { kind: "secrets" }
  | { kind: "rotate-secrets" }
  | { kind: "import-secrets"; wins: "files" | "rows" }
  | { kind: "remove-secrets"; which: { kind: string; name: string; workspace: string | null } | null }
  | { kind: "adopt"; email: string | null }
)

/**
 * Starts the server's own program, which knows the database, and resolves with its exit code. The program watches the
 * channel to this process, so it ends with it.
 */
export async function operate(operation: Operation): Promise<number> {
  const program = spawn(process.execPath, [operatorProgram], { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  // Sent as a message, not as an argument: database addresses hold passwords, and other users can see arguments.
  program.send(operation)
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => program.kill(signal))
  const [code] = await once(program, "exit")
  return typeof code === "number" ? code : 1
}
