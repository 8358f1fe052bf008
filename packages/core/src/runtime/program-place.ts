import { commandEnv } from "../acts/sandbox/command-env.ts"
import { type Confinement, confinementOf, unconfined } from "../acts/sandbox/confinement.ts"
import type { FormatPlace } from "../acts/tool/formatters.ts"
import type { LanguagePlace } from "../acts/tool/language-servers.ts"
import type { ProgramPlace } from "../acts/tool/program-place.ts"
import type { RunningCommands } from "../acts/tool/running-commands.ts"
import { type ProgramRequest, type StartedProgram, startProgram } from "../acts/tool/start-program.ts"
import { isWithin } from "../ground/file/is-within.ts"
import { realpathOfDeepest } from "../ground/file/realpath-of-deepest.ts"
import type { Project } from "../ground/schema/index.ts"
import { limitsOf } from "../ground/schema/limits-config.ts"
import type { LoadedConfig } from "../setup/config/loaded-config.ts"
import { providerVariables } from "../setup/config/references.ts"
import type { Config } from "../setup/config/schema.ts"
import type { Projects } from "../setup/project/projects.ts"
import type { Configs } from "../setup/trust/configs.ts"
import type { RuntimeWorkspace } from "../setup/workspace/runtime-workspace.ts"
import { sandboxIn } from "../setup/workspace/sandbox-in.ts"
import { closedToPrograms } from "./closed-to-programs.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** Bytes of memory of one such program. */
const maxMemory = 1.5 * 1024 ** 3

export interface PlaceServices {
  configs: Configs
  workspace: RuntimeWorkspace
  projects: Pick<Projects, "get">
  commands: RunningCommands
}

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
  services: PlaceServices,
  project: Project,
  owner: string,
): Promise<{ place: ProgramPlace; config: Config }> {
  const { loaded, worktree, checkout, ...programs } = await projectPrograms(deps, services, project)
  // They reach no network, and only read: they work for long beside people, whose changes must not count as theirs.
  const confinement = (readable: readonly string[]) =>
    programs.confinement({ network: "none", isReadOnly: true, readable })
  const place: ProgramPlace = {
    projectID: project.id,
    worktree,
    checkout: checkout === worktree ? null : checkout,
    isTrusted: loaded.trust.state === "trusted",
    path: deps.env.PATH ?? "",
    unconfined: () => whyUnconfined(confinement([])),
    start: async ({ readable, ...launch }) =>
      programs.start({ ...launch, owner }, await confinement(readable), { maxMemory }),
  }
  return { place, config: loaded.config }
}

/** Why programs are not confined; null when they run in the sandbox. */
export async function whyUnconfined(confinement: Promise<Confinement>): Promise<string | null> {
  const found = await confinement
  if (found.kind === "none") return "Commands do not run in a sandbox here."
  return found.kind === "sandbox" ? null : found.reason
}

interface ConfinementChoice {
  network: "open" | "project" | "none"
  isReadOnly: boolean
  readable: readonly string[]
  /** Changed also where the project is only read. */
  changes?: readonly string[]
  /** Whose home it has; that of the project unless set. */
  home?: string | undefined
  /** Variables that pass although the sandbox keeps their kind out. */
  variables?: readonly string[]
  /** Files that it reads although the rules ask about them; real paths. */
  opened?: readonly string[]
}

/** What starts programs that belong to a project rather than to a session. */
interface ProjectPrograms extends Programs {
  loaded: LoadedConfig
  /** Where the work is; real. */
  worktree: string
  /** The project's own checkout; real. A task works in another one, but people trust and configure the project. */
  checkout: string
}

interface Programs {
  confinement(choice: ConfinementChoice): Promise<Confinement>
  /** @throws Error when it may not run, or cannot be started */
  start(
    launch: Omit<ProgramRequest, "confine" | "bound">,
    confinement: Confinement,
    limits?: { maxMemory?: number },
  ): Promise<StartedProgram>
}

export async function projectPrograms(
  deps: RuntimeDeps,
  services: PlaceServices,
  project: Project,
): Promise<ProjectPrograms> {
  const { projects, configs } = services
  const stored = await projects.get(project.id)
  const loaded = await configs.of(stored)
  // Where the project lay when its trust was judged.
  const checkout = loaded.trust.directory ?? (await realpathOfDeepest(stored.worktree))
  // A directory that is gone is told of by the turn.
  const worktree = stored.worktree === project.worktree ? checkout : await realpathOfDeepest(project.worktree)
  return {
    loaded,
    worktree,
    checkout,
    ...programsIn(deps, services, { projectID: project.id, loaded, worktree, checkout }),
  }
}

/** What starts programs in a directory, with its configuration. */
export function programsIn(
  deps: RuntimeDeps,
  { workspace, configs, commands }: Pick<PlaceServices, "workspace" | "configs" | "commands">,
  {
    projectID,
    loaded,
    worktree,
    checkout,
  }: { projectID: string; loaded: LoadedConfig } & Pick<ProjectPrograms, "worktree" | "checkout">,
): Programs {
  const { config, sources } = loaded
  return {
    async confinement({ network, isReadOnly, readable, changes, home, variables = [], opened = [] }) {
      if (deps.sandbox === undefined) return unconfined
      // Read here alone: most turns start no program.
      const { config: own } = await configs.of(null)
      const settings = sandboxIn(workspace, config.sandbox, own.sandbox)
      const env = [...(settings.env ?? []), ...variables]
      const reach = network === "project" ? {} : { network: { allow: [] } }
      const confinement = await confinementOf(
        deps.sandbox,
        { ...settings, env, ...reach },
        {
          ...{ projectID, worktree, directory: worktree, skillDirectories: [...readable] },
          ...(isReadOnly && { isReadOnly }),
          ...(network === "open" && { hasOpenNetwork: true as const }),
          ...(changes && { changes }),
          ...(home !== undefined && { home }),
        },
      )
      if (confinement.kind !== "sandbox") return confinement
      const beside = checkout === worktree ? [] : readable.filter((directory) => isWithin(checkout, directory))
      const places = { home: deps.home, worktree, checkout, beside, opened }
      return { ...confinement, confine: (launch) => confinement.confine(launch, closedToPrograms(loaded, places)) }
    },
    async start({ env, ...launch }, confinement, { maxMemory } = {}) {
      if (confinement.kind === "outside" || confinement.kind === "refused") throw new Error(confinement.reason)
      const isHeld = confinement.kind === "sandbox"
      const variables = {
        named: config.sandbox?.env ?? [],
        withheld: providerVariables(sources),
        isShared: workspace.isShared,
      }
      const limits = limitsOf(config.sandbox?.limits)
      const memory = Math.min(limits.command.memory, maxMemory ?? Number.POSITIVE_INFINITY)
      return startProgram(
        { commands, clock: deps.clock },
        {
          ...launch,
          env: { ...commandEnv(deps.env, variables), ...env },
          confine: isHeld ? confinement.confine : undefined,
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
