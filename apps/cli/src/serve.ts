import { spawn } from "node:child_process"
import { once } from "node:events"
import { serverProgram } from "./server-program.ts"

/**
 * Runs the service in the foreground with `args` as its options, and resolves with its exit code. The service watches
 * the channel to this process, so it ends with it in any case.
 */
export async function serve(args: string[]): Promise<number> {
  const server = spawn(process.execPath, [serverProgram, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  })
  // A terminal sends Ctrl-C to the whole process group, so the server has it already; wait for its clean stop.
  process.on("SIGINT", () => {
    if (!process.stdin.isTTY) server.kill("SIGINT")
  })
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => server.kill(signal))
  const [code] = await once(server, "exit")
  return typeof code === "number" ? code : 1
}
