import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { z } from "zod"

const program = fileURLToPath(new URL("../main.js", import.meta.url))
const Hello = z.object({ url: z.string(), loginUrl: z.string(), tokenFile: z.string() })
const Result = z.object({ result: z.object({ data: z.unknown() }) })

/** A real service in a separate process. */
export interface ServiceProcess {
  url: string
  loginUrl: string
  /** Headers that authenticate a program. */
  headers: Record<string, string>
  query(procedure: string, input?: object): Promise<unknown>
  /** Rejects with the answer's text when the service refuses. */
  mutate(procedure: string, input: object): Promise<unknown>
  /** Its stderr output so far. */
  log(): string
  /** Stops it as an administrator does; resolves with its exit code. */
  end(): Promise<number | null>
  /** Resolves with its exit code. */
  exit: Promise<number | null>
  kill(): Promise<void>
}

export interface ProcessOptions {
  /** The directory with the user's configuration. */
  home: string
  data: string
  project: string
  /** A free port when left out. */
  port?: number
  env?: Record<string, string>
}

/** Starts a service and waits until it listens; rejects with its output when it ends before. */
export async function startServiceProcess({
  home,
  data,
  project,
  port = 0,
  env,
}: ProcessOptions): Promise<ServiceProcess> {
  const args = ["--no-web", "--json", "--port", String(port), "--data", data, "--project", project]
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let written = ""
  child.stderr.on("data", (chunk: Buffer) => {
    written += chunk
  })
  const exit = once(child, "close").then(([code]: (number | null)[]) => code ?? null)
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), exit.then(() => [])])
  if (line === undefined) throw new Error(written)
  const { url, loginUrl, tokenFile } = Hello.parse(JSON.parse(line))
  const headers = {
    authorization: `Bearer ${(await readFile(tokenFile, "utf8")).trim()}`,
    "content-type": "application/json",
  }
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${url}/api/trpc/${path}`, { ...init, headers })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return Result.parse(JSON.parse(text)).result.data
  }
  return {
    url,
    loginUrl,
    headers,
    query: (procedure, input = {}) => call(`${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {}),
    mutate: (procedure, input) => call(procedure, { method: "POST", body: JSON.stringify(input) }),
    log: () => written,
    exit,
    end() {
      child.kill("SIGTERM")
      return exit
    },
    async kill() {
      child.kill("SIGKILL")
      await exit
    },
  }
}
