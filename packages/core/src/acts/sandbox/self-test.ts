import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import path from "node:path"
import type { SandboxState } from "../../ground/schema/index.ts"
import type { ConfinedLaunch, Launch, SandboxPlace } from "./sandbox.ts"

/** ms; a sandbox that takes longer is taken for none. */
const timeout = 10_000

/** What the test tries, and what it says where that works. */
const attempts = {
  read: "read a file of Docket's data",
  write: "write outside the project",
  connect: "reach a service of this machine",
}

const script = `
cat "$1/token" >/dev/null 2>&1 && echo read
(echo x >"$1/written") 2>/dev/null
bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"' bash "$2" 2>/dev/null && echo connect
echo x >done && echo ran`

/**
 * Runs a program in the sandbox that tries what it must not be able to do: read a planted token, write outside, connect
 * to a server of this machine.
 * @param root where the test makes its files; in Docket's data
 */
export async function testSandbox(
  confine: (launch: Launch, place: SandboxPlace) => ConfinedLaunch,
  { root, path: search = "/usr/bin:/bin" }: { root: string; path: string | undefined },
): Promise<SandboxState> {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const directory = mkdtempSync(path.join(root, "self-test-"))
  const project = path.join(directory, "project")
  mkdirSync(project)
  writeFileSync(path.join(directory, "token"), randomUUID(), { mode: 0o600 })
  const server = createServer((socket) => socket.destroy())
  try {
    const port = await listening(server)
    const args = ["-c", script, "sh", directory, String(port)]
    const launch = { file: "/bin/sh", args, cwd: project, env: { PATH: search } }
    const place = {
      project: "self-test",
      worktree: project,
      directory: project,
      readable: [],
      writable: [],
      hidden: [],
      variables: [],
      hosts: [],
    }
    const { output, problem } = await run(confine(launch, place))
    // What it wrote may be in a place of its own by the same name.
    const lines = [...output.split("\n"), ...(existsSync(path.join(directory, "written")) ? ["write"] : [])]
    if (!lines.includes("ran")) return off(problem)
    const leaks = Object.entries(attempts).flatMap(([name, words]) => (lines.includes(name) ? [words] : []))
    if (leaks.length === 0) return { state: "on", reason: null, remedy: null }
    return { state: "weak", reason: `A program in the sandbox could ${leaks.join(" and ")}.`, remedy: null }
  } catch (error) {
    return off(error instanceof Error ? error.message : String(error))
  } finally {
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function off(problem: string): SandboxState {
  return {
    state: "off",
    reason: `bubblewrap cannot run here: ${problem.trim() || "it ended without a word"}`,
    remedy:
      "Allow programs to make user namespaces: on Ubuntu by an AppArmor profile for bwrap, elsewhere by the sysctl kernel.unprivileged_userns_clone=1; a container needs a seccomp profile that allows them and a /proc that is not masked, a unit of systemd does without the options that deploy/docket.service names. Then restart Docket.",
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
}

function run({ file, args, cwd, env, descriptors, release }: ConfinedLaunch) {
  return new Promise<{ output: string; problem: string }>((resolve) => {
    const child = spawn(file, args, {
      cwd,
      // Where Next's types are present, ProcessEnv demands NODE_ENV; the test needs none.
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe", ...descriptors],
      timeout,
      killSignal: "SIGKILL",
    })
    release()
    let output = ""
    let problem = ""
    child.stdout?.on("data", (text) => {
      output += text
    })
    child.stderr?.on("data", (text) => {
      problem += text
    })
    child.once("error", (error) => resolve({ output, problem: error.message }))
    child.once("close", () => resolve({ output, problem }))
  })
}
