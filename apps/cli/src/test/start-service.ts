import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createInterface } from "node:readline"
import { z } from "zod"
import { serverProgram } from "../server-program.ts"

/** A service without a web app, in a process of its own. */
export interface TestService {
  address: string
  token: string
  stop(): Promise<void>
}

const Hello = z.object({ url: z.string(), tokenFile: z.string() })

/** Starts a service on a free port, with a project. */
export async function startService(
  env: NodeJS.ProcessEnv,
  { data, project }: { data: string; project: string },
): Promise<TestService> {
  const args = ["--no-web", "--json", "--port", "0", "--data", data, "--project", project]
  const service = spawn(process.execPath, [serverProgram, ...args], { env, stdio: ["ignore", "pipe", "ignore"] })
  const [line] = await once(createInterface(service.stdout), "line")
  const { url, tokenFile } = Hello.parse(JSON.parse(String(line)))
  return {
    address: url,
    token: (await readFile(tokenFile, "utf8")).trim(),
    async stop() {
      const exit = once(service, "exit")
      service.kill("SIGTERM")
      await exit
    },
  }
}
