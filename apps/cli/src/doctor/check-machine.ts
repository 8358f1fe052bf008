import { execFile } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"
import { createServer } from "node:net"
import path from "node:path"
import { promisify } from "node:util"
import type { Check } from "./check.ts"

export interface MachineFacts {
  /** The data directory, absolute. */
  data: string
  /** Whether a service uses the data directory now. */
  isRunning: boolean
  /** Version of Node. */
  node: string
}

/** The default port of a service. */
const usualPort = 4_180
const oldestNode = 24

/** The checks that need no running service. */
export async function checkMachine({ data, isRunning, node }: MachineFacts): Promise<Check[]> {
  return [nodeCheck(node), await gitCheck(), dataCheck(data), await portCheck(isRunning)]
}

function nodeCheck(version: string): Check {
  const isNew = Number.parseInt(version, 10) >= oldestNode
  const text = isNew
    ? version
    : `${version}; the service needs ${oldestNode} or newer, which npm start fetches by itself`
  return { name: "node", state: isNew ? "ok" : "warn", text }
}

async function gitCheck(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)("git", ["--version"])
    return { name: "git", state: "ok", text: stdout.trim().replace(/^git version /, "") }
  } catch {
    const text = "not found: undo, changes and worktrees need it. Install git."
    return { name: "git", state: "bad", text }
  }
}

function dataCheck(data: string): Check {
  const existing = nearestExisting(data)
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK)
    return { name: "data directory", state: "ok", text: existing === data ? data : `${data} (made at the first start)` }
  } catch {
    const text = `${data} cannot be written. Make ${existing} yours, or name another with --data.`
    return { name: "data directory", state: "bad", text }
  }
}

function nearestExisting(directory: string): string {
  return existsSync(directory) ? directory : nearestExisting(path.dirname(directory))
}

function portCheck(isRunning: boolean): Promise<Check> {
  const check = (state: Check["state"], text: string): Check => ({ name: "port", state, text })
  if (isRunning) return Promise.resolve(check("ok", "a service runs"))
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", () =>
      resolve(check("warn", `${usualPort} is in use by another program. Start with --port and another number.`)),
    )
    server.listen(usualPort, "127.0.0.1", () => server.close(() => resolve(check("ok", `${usualPort} is free`))))
  })
}
