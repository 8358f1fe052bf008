import { createHash } from "node:crypto"
import path from "node:path"
import type { Executor, Place } from "@docket/core/executor"
import { limitsOf } from "@docket/core/limits-config"
import { localMachine } from "@docket/core/local-machine"
import { type CommandElsewhere, runCommand } from "@docket/core/run-command"
import { createSandbox, type SandboxDeps } from "@docket/core/sandbox"
import type { DockerConfig } from "@docket/core/sandbox-config"
import type { SandboxState } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import { commandInContainer } from "./command-in-container.ts"
import { containerRequest } from "./container-request.ts"
import { containerUser, giveHome } from "./container-user.ts"
import { createContainers, type Lease } from "./containers.ts"
import { createEngine, type Engine } from "./engine.ts"
import { EngineProblem } from "./engine-problem.ts"
import type { Program } from "./run-inside.ts"
import { testContainers } from "./self-test.ts"

export interface DockerExecutorDeps extends Omit<SandboxDeps, "containers"> {
  timers: Timers
}

/**
 * Runs the commands of sessions in containers of Docker or Podman on this machine. Files are read and written where they lie: the
 * containers show them at the same paths. Containers of a session are kept between its commands, and each command has one for
 * itself.
 */
export function createDockerExecutor(deps: DockerExecutorDeps): Executor {
  const containers = createContainers(deps)
  const root = path.join(deps.ownDirectory ?? deps.dataDirectory, "sandbox")
  const owner = createHash("sha256").update(root).digest("hex").slice(0, 20)
  const sandboxes = new Map<string, ReturnType<typeof createSandbox>>()
  const engineOf = ({ host, tls }: DockerConfig): Engine => createEngine({ ...(host && { host }), ...(tls && { tls }) })
  const selfTest = (docker: DockerConfig | undefined) => async (): Promise<SandboxState> => {
    const settings = settingsOf(docker)
    const engine = engineOf(settings)
    await containers.reap(engine, `docket.owner=${owner}`)
    const labels = { "docket.owner": owner, "docket.session": "self-test" }
    return testContainers(containers, engine, { docker: settings, root, labels })
  }
  return {
    name: "docker",
    sandboxFor({ docker }) {
      const key = JSON.stringify(docker ?? null)
      const known = sandboxes.get(key)
      if (known !== undefined) return known
      const sandbox = createSandbox({ ...deps, containers: selfTest(docker) })
      sandboxes.set(key, sandbox)
      return sandbox
    },
    open({ session, config }): Place {
      const { files, commands } = localMachine
      const labels = { "docket.owner": owner, "docket.session": session.id }
      return {
        id: `docker ${session.id}`,
        files,
        commands: {
          search: commands.search,
          run(request, now) {
            const docker = settingsOf(config.docker)
            return runCommand(
              {
                ...request,
                shell: "bash",
                async start({ file, args, cwd, env, shown = [] }) {
                  const engine = engineOf(docker)
                  const user = await containerUser(engine, cwd)
                  giveHome(shown, user)
                  const limits = limitsOf(config.limits)
                  const wanted = containerRequest(shown, { docker, limits, labels, user })
                  const program = { command: [...withFiles(limits.command.files), file, ...args], env, cwd }
                  return startedIn(() => containers.lease(engine, session.id, wanted), program)
                },
              },
              now,
            )
          },
        },
        close: () => containers.end(session.id),
      }
    },
    async close() {
      await containers.close()
      await Promise.all([...sandboxes.values()].map((sandbox) => sandbox.close()))
    },
  }
}

/** A container that was kept may be gone without a word, as after `docker rm`: then the command starts in another. */
async function startedIn(lease: () => Promise<Lease>, program: Program): Promise<CommandElsewhere> {
  try {
    return await commandInContainer(await lease(), program)
  } catch (error) {
    const isGone = error instanceof EngineProblem && (error.status === 404 || error.status === 409)
    if (!isGone) throw error
    return commandInContainer(await lease(), program)
  }
}

/**
 * Limits the open files of what follows. The container itself is not asked for that: an engine whose own limit is lower would
 * not start it.
 */
function withFiles(files: number): string[] {
  return ["/bin/sh", "-c", 'ulimit -n "$0" 2>/dev/null; exec "$@"', String(files)]
}

/** @throws EngineProblem when the configuration names no image */
function settingsOf(docker: DockerConfig | undefined): DockerConfig & { image: string } {
  if (docker?.image !== undefined) return { ...docker, image: docker.image }
  throw new EngineProblem(
    '"sandbox.executor" is "docker", but no image is named. Name one in your own docket.json: "sandbox": { "executor": "docker", "docker": { "image": "name@sha256:…" } }.',
  )
}
