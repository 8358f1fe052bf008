import { realpathSync } from "node:fs"
import { commandEnv } from "../acts/sandbox/command-env.ts"
import { confinementOf, unconfined } from "../acts/sandbox/confinement.ts"
import type { LanguagePlace } from "../acts/tool/language-servers.ts"
import { startProgram } from "../acts/tool/start-program.ts"
import type { Project } from "../ground/schema/index.ts"
import { limitsOf } from "../ground/schema/limits-config.ts"
import { providerVariables } from "../setup/config/references.ts"
import { sandboxIn } from "../setup/workspace/sandbox-in.ts"
import type { Services } from "./create-services.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** Bytes of memory of one language server. */
const maxMemory = 1.5 * 1024 ** 3

/** Where the language servers of a project work, and how they are started. `worktree`: that of a task, if it has one. */
export async function languagePlace(
  deps: RuntimeDeps,
  services: Pick<Services, "configs" | "workspace" | "commands">,
  project: Project,
): Promise<LanguagePlace> {
  const { workspace, configs, commands } = services
  const [{ config, trust, sources }, { config: own }] = await Promise.all([configs.of(project), configs.of(null)])
  const worktree = realpathSync(project.worktree)
  const settings = sandboxIn(workspace, config.sandbox, own.sandbox)
  // They reach no network, and only read: they work for long beside people, whose changes must not count as theirs.
  const confinement = (readable: readonly string[]) =>
    deps.sandbox === undefined
      ? Promise.resolve(unconfined)
      : confinementOf(
          deps.sandbox,
          { ...settings, network: { allow: [] } },
          {
            ...{ projectID: project.id, worktree, directory: worktree, isReadOnly: true },
            skillDirectories: [...readable],
          },
        )
  return {
    projectID: project.id,
    worktree,
    settings: config.lsp,
    isTrusted: trust.state === "trusted",
    path: deps.env.PATH ?? "",
    async unconfined() {
      const found = await confinement([])
      if (found.kind === "none") return "Commands do not run in a sandbox here."
      return found.kind === "sandbox" ? null : found.reason
    },
    async start({ readable, env, ...launch }) {
      const found = await confinement(readable)
      if (found.kind === "outside" || found.kind === "refused") throw new Error(found.reason)
      const isHeld = found.kind === "sandbox"
      const variables = {
        named: config.sandbox?.env ?? [],
        withheld: providerVariables(sources),
        isShared: workspace.isShared,
      }
      const limits = limitsOf(config.sandbox?.limits)
      const memory = Math.min(limits.command.memory, maxMemory)
      return startProgram(
        { commands, clock: deps.clock },
        {
          ...launch,
          owner: "language-server",
          env: { ...commandEnv(deps.env, variables), ...env },
          confine: isHeld ? found.confine : undefined,
          bound: async (processTag) =>
            (await deps.bounds?.begin({
              ...{ processTag, isHeld, scope: workspace.get().id, places: [worktree] },
              limits: { ...limits, command: { ...limits.command, memory } },
            })) ?? null,
        },
      )
    },
  }
}
