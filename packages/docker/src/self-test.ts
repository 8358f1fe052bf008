import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import path from "node:path"
import { limitsOf } from "@docket/core/limits-config"
import type { DockerConfig } from "@docket/core/sandbox-config"
import type { SandboxState } from "@docket/core/schema"
import { z } from "zod"
import { containerRequest } from "./container-request.ts"
import { containerUser } from "./container-user.ts"
import type { Containers } from "./containers.ts"
import { apiVersion, type Engine, problemOfRefusal } from "./engine.ts"
import { EngineProblem, problemOfStart } from "./engine-problem.ts"
import { askInside } from "./run-inside.ts"

/** What a program in a container must not be able to do, in the words of the message when it can. */
const attempts: Readonly<Record<string, string>> = {
  token: "read a file outside of the project",
  write: "write outside of the project",
  network: "reach a server of this machine",
  rights: "have rights of root",
  gain: "gain rights by programs that give them",
  calls: "make every call of the kernel",
  socket: "reach the container engine",
}

/** Prints what succeeds, and `ran` at the end. The first argument is the test's directory, the second a port. */
const script = `
cat "$1/token" >/dev/null 2>&1 && echo token
: 2>/dev/null > "$1/written"
(: > /usr/written || : > /etc/written) 2>/dev/null && echo write
(exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null && echo network
grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || echo rights
grep -q '^NoNewPrivs:[[:space:]]*1$' /proc/self/status || echo gain
grep -q '^Seccomp:[[:space:]]*2$' /proc/self/status || echo calls
[ -S /var/run/docker.sock ] && echo socket
: > "$1/project/made" && echo ran`

const Version = z.object({ ApiVersion: z.string(), Version: z.string().optional() })

/** ms */
const scriptMs = 20_000

/**
 * Makes a container as those of commands are, in which a program tries what it must not be able to do.
 * @param root where the test's files are made; hidden from all commands
 * @throws EngineProblem when there is no engine or image, so that the next command tries again
 */
export async function testContainers(
  containers: Containers,
  engine: Engine,
  {
    docker,
    root,
    labels,
  }: { docker: DockerConfig & { image: string }; root: string; labels: Readonly<Record<string, string>> },
): Promise<SandboxState> {
  await checkEngine(engine)
  await checkImage(engine, docker.image)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const directory = mkdtempSync(path.join(root, "self-test-"))
  const project = path.join(directory, "project")
  mkdirSync(project)
  writeFileSync(path.join(directory, "token"), randomUUID(), { mode: 0o600 })
  const server = createServer((socket) => socket.destroy())
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  try {
    const shown = [{ kind: "write", path: project } as const]
    const user = await containerUser(engine, project)
    const request = containerRequest(shown, { docker, limits: limitsOf(), labels, user })
    const lease = await containers.lease(engine, "self-test", request)
    try {
      const program = { command: ["bash", "-c", script, "bash", directory, String(port)] }
      const output = await askInside(engine, lease.id, { program, timeout: scriptMs })
      // Above the project the container has directories of its own, where a file may be made.
      const isWritten = existsSync(path.join(directory, "written"))
      return stateOf(isWritten ? `${output}\nwrite` : output, docker.image)
    } finally {
      await lease.kill()
      lease.release()
    }
  } finally {
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function stateOf(output: string, image: string): SandboxState {
  const lines = output.split("\n")
  if (!lines.includes("ran")) {
    throw new EngineProblem(
      `The image ${image} cannot run commands: it needs bash, stat, cat and grep, and its user has to be able to write where the project is (${output.trim().slice(0, 300) || "it said nothing"}).`,
    )
  }
  const leaks = Object.entries(attempts).flatMap(([name, what]) => (lines.includes(name) ? [what] : []))
  if (leaks.length === 0) return { state: "on", reason: null, remedy: null }
  return {
    state: "weak",
    reason: `A program in a container could ${leaks.join(" and ")}.`,
    remedy: "Run the container engine with its usual seccomp profile, and leave the options of containers to Docket.",
  }
}

async function checkEngine(engine: Engine): Promise<void> {
  const answer = await engine.call("GET", "/version")
  // An engine that is too old refuses the version.
  if (answer.status !== 200) throw tooOld(engine, problemOfRefusal(answer).message)
  const { ApiVersion } = Version.parse(answer.body)
  const [major = 0, minor = 0] = ApiVersion.split(".").map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = apiVersion.split(".").map(Number)
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) throw tooOld(engine, `API ${ApiVersion}`)
}

function tooOld({ address }: Engine, said: string): EngineProblem {
  return new EngineProblem(
    `The container engine at ${address} cannot be used (${said}): Docket needs API ${apiVersion}, as of Docker 20.10 or Podman 4.`,
  )
}

async function checkImage(engine: Engine, image: string): Promise<void> {
  const answer = await engine.call("GET", `/images/${image}/json`)
  if (answer.status !== 200) throw problemOfStart(problemOfRefusal(answer), image)
}
