import { spawn } from "node:child_process"
import { once } from "node:events"
import { operatorProgram } from "../server-program.ts"

/** What is done with a data directory itself, without a service. Paths are absolute. */
export type Operation = { data: string; json: boolean } & (
  | { kind: "backup"; file: string; withKeys: boolean }
  | { kind: "restore"; file: string; replace: boolean; toFile: boolean }
  | { kind: "to-postgres"; url: string | null }
  | { kind: "adopt"; email: string | null }
)

/**
 * Has the server's own program do it, which knows the database. Resolves with its exit code. It ends with this process:
 * it watches the channel between them.
 */
export async function operate(operation: Operation): Promise<number> {
  const program = spawn(process.execPath, [operatorProgram], { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  // Not an argument: addresses of databases hold passwords, and other users see the arguments of programs.
  program.send(operation)
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => program.kill(signal))
  const [code] = await once(program, "exit")
  return typeof code === "number" ? code : 1
}
