import { realpathSync } from "node:fs"
import { commandEnv } from "../acts/sandbox/command-env.ts"
import { confinementOf, unconfined } from "../acts/sandbox/confinement.ts"
import type { FormatPlace } from "../acts/tool/formatters.ts"
import type { LanguagePlace } from "../acts/tool/language-servers.ts"
import type { ProgramPlace } from "../acts/tool/program-place.ts"
import { startProgram } from "../acts/tool/start-program.ts"
import type { Project } from "../ground/schema/index.ts"
import { limitsOf } from "../ground/schema/limits-config.ts"
import { providerVariables } from "../setup/config/references.ts"
import type { Config } from "../setup/config/schema.ts"
import { sandboxIn } from "../setup/workspace/sandbox-in.ts"
import type { Services } from "./create-services.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** Bytes of memory of one such program. */
const maxMemory = 1.5 * 1024 ** 3

type PlaceServices = Pick<Services, "configs" | "workspace" | "commands" | "projects">

/** Where the language servers of a project work. */
export async function languagePlace(
  deps: RuntimeDeps,
  services: PlaceServices,
  project: Project,
): Promise<LanguagePlace> {
  const { place, config } = await programPlace(deps, services, project, "language-server")
  return { ...place, settings: config.lsp }
}

/** Where the formatters of a project work. */
export async function formatPlace(deps: RuntimeDeps, services: PlaceServices, project: Project): Promise<FormatPlace> {
  const { place, config } = await programPlace(deps, services, project, "formatter")
  return { ...place, settings: config.formatter }
}

/** `worktree` of the project is that of a task, if it has one. */
async function programPlace(
  deps: RuntimeDeps,
  { workspace, configs, commands, projects }: PlaceServices,
  project: Project,
  owner: string,
): Promise<{ place: ProgramPlace; config: Config }> {
  // A task works in a checkout of its own; it is the project that people trust and configure.
  const stored = await projects.get(project.id)
  const [{ config, trust, sources }, { config: own }] = await Promise.all([configs.of(stored), configs.of(null)])
  const [worktree, checkout] = [realpathSync(project.worktree), realpathSync(stored.worktree)]
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
  const place: ProgramPlace = {
    projectID: project.id,
    worktree,
    checkout: checkout === worktree ? null : checkout,
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
          owner,
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
  return { place, config }
}
