import { spawn } from "node:child_process"
import { once } from "node:events"
import { serverProgram } from "./server-program.ts"

/**
 * Runs the service in the foreground with `args` as its own options. Resolves with its exit code. The service ends with
 * this process, however that ends: it watches the channel between them.
 */
export async function serve(args: string[]): Promise<number> {
  const server = spawn(process.execPath, [serverProgram, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  })
  // A terminal sends Ctrl-C to the whole group, so the server has it already; we only wait for its clean stop.
  process.on("SIGINT", () => {
    if (!process.stdin.isTTY) server.kill("SIGINT")
  })
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => server.kill(signal))
  const [code] = await once(server, "exit")
  return typeof code === "number" ? code : 1
}
