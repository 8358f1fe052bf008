import type { PlaceWork } from "@docket/core/executor"
import { limitsOf } from "@docket/core/limits-config"
import type { localMachine } from "@docket/core/local-machine"
import { type CommandElsewhere, runCommand } from "@docket/core/run-command"
import type { SandboxDeps } from "@docket/core/sandbox"
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

export interface ContainerDeps extends Omit<SandboxDeps, "containers"> {
  timers: Timers
}

type RunCommand = (typeof localMachine)["commands"]["run"]

/** Commands in the containers of one service. */
export interface ContainerCommands {
  /** Ends containers that an earlier service left, and says whether new ones confine commands. */
  test(docker: DockerConfig | undefined): Promise<SandboxState>
  run(work: PlaceWork, ...asked: Parameters<RunCommand>): ReturnType<RunCommand>
  /** Ends the containers of a session. */
  end(sessionID: string): Promise<void>
  close(): Promise<void>
}

/** `root`: what containers show as their own; `owner`: names the service in the labels of its containers. */
export function createContainerCommands(
  deps: ContainerDeps,
  { root, owner }: { root: string; owner: string },
): ContainerCommands {
  const containers = createContainers(deps)
  const engineOf = ({ host, tls }: DockerConfig): Engine => createEngine({ ...(host && { host }), ...(tls && { tls }) })
  return {
    async test(docker) {
      const settings = settingsOf(docker)
      const engine = engineOf(settings)
      await containers.reap(engine, `docket.owner=${owner}`)
      const labels = { "docket.owner": owner, "docket.session": "self-test" }
      return testContainers(containers, engine, { docker: settings, root, labels })
    },
    run({ session, config }, request, now) {
      const docker = settingsOf(config.docker)
      const labels = { "docket.owner": owner, "docket.session": session.id }
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
    end: async (sessionID) => void (await containers.end(sessionID)),
    close: async () => void (await containers.close()),
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
