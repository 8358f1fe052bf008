import { createHash } from "node:crypto"
import path from "node:path"
import type { Executor, Place } from "@docket/core/executor"
import { localMachine } from "@docket/core/local-machine"
import { createSandbox } from "@docket/core/sandbox"
import type { DockerConfig } from "@docket/core/sandbox-config"
import type { ContainerCommands, ContainerDeps } from "./container-commands.ts"

/**
 * Runs the commands of sessions in containers of Docker or Podman on this machine. Files are read and written where they lie: the
 * containers show them at the same paths. Containers of a session are kept between its commands, and each command has one for
 * itself. The code is loaded when the first one is needed.
 */
export function createDockerExecutor(deps: ContainerDeps): Executor {
  const root = path.join(deps.ownDirectory ?? deps.dataDirectory, "sandbox")
  const owner = createHash("sha256").update(root).digest("hex").slice(0, 20)
  const sandboxes = new Map<string, ReturnType<typeof createSandbox>>()
  let loading: Promise<ContainerCommands> | undefined
  const load = () => {
    loading ??= import("./container-commands.ts").then((it) => it.createContainerCommands(deps, { root, owner }))
    return loading
  }
  const selfTest = (docker: DockerConfig | undefined) => async () => (await load()).test(docker)
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
      return {
        id: `docker ${session.id}`,
        files,
        commands: {
          search: commands.search,
          run: async (request, now) => (await load()).run({ session, config }, request, now),
        },
        close: async () => void (await (await loading)?.end(session.id)),
      }
    },
    async close() {
      await (await loading)?.close()
      await Promise.all([...sandboxes.values()].map((sandbox) => sandbox.close()))
    },
  }
}
