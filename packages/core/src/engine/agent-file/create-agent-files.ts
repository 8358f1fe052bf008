import { createFileLocks } from "../../acts/tool/file-locks.ts"
import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import type { Agent, Caller, Project } from "../../ground/schema/index.ts"
import { textDigest } from "../../setup/config/digest.ts"
import type { LoadedConfig } from "../../setup/config/loaded-config.ts"
import type { OtherPrograms } from "../../setup/config/other-programs.ts"
import { userPlace } from "../../setup/config/read-config-sources.ts"
import type { OwnChange } from "../../setup/trust/project-trusts.ts"
import type { AgentDraft, AgentFileChange, AgentFileService } from "./agent-file-service.ts"
import { overviewOf } from "./agent-overview.ts"
import { type AgentPath, type AgentPlaceDeps, knownAgentPath, newAgentPath, realAgentPath } from "./agent-path.ts"
import { readAgentText, removeAgentText, writeAgentText } from "./write-agent-file.ts"

export interface AgentFilesDeps extends AgentPlaceDeps {
  programs?: OtherPrograms | undefined
  projectByID(id: string): Promise<Project>
  configOf(project: Project): Promise<LoadedConfig>
  agentsOf(project: Project): Promise<Agent[]>
  /** @throws when the model cannot be used */
  checkModel(config: LoadedConfig["config"], model: NonNullable<Agent["model"]>): Promise<void>
  /** See `makeOwnChange`. Also notifies clients that show the configuration. */
  makeChange(change: OwnChange, by: Caller): Promise<boolean>
}

/** Reads, creates, changes and deletes agent files. */
export interface AgentFiles {
  /** Changes through this service name `by` as their author. */
  as(by: Caller): AgentFileService
}

export function createAgentFiles(deps: AgentFilesDeps): AgentFiles {
  const withLock = createFileLocks()
  const never = new AbortController().signal
  const known = async (projectID: string, file: string) => {
    const project = await deps.projectByID(projectID)
    const path = knownAgentPath(deps, project, file)
    if (path === null) throw noSuchFile(file)
    return { project, path, real: await realAgentPath(path, project.worktree) }
  }
  const change = (
    by: Caller,
    { project, path, real }: { project: Project; path: AgentPath; real: string },
    { text, write }: { text: string | null; write(): Promise<void> },
  ): Promise<AgentFileChange> =>
    withLock(real, never, async () => {
      const digest = text === null ? null : textDigest(text)
      const counts = await deps.makeChange({ project, file: path.file, digest, write }, by)
      return { file: path.file, counts: path.owner === "user" || counts }
    })
  return {
    as: (by) => ({
      overview: async (projectID) => overview(deps, await deps.projectByID(projectID)),
      async read(projectID, file) {
        const { real } = await known(projectID, file)
        const text = await readAgentText(real)
        if (text === null) throw noSuchFile(file)
        return { file, text, hash: textDigest(text) }
      },
      draft: (given) => draft(deps, given),
      async create({ projectID, owner, name, text, replaces }) {
        const project = await deps.projectByID(projectID)
        const path = newAgentPath(deps, project, { owner, name })
        if (!replaces) refuseTaken(name, await overview(deps, project))
        const real = await realAgentPath(path, project.worktree)
        return change(by, { project, path, real }, { text, write: () => writeAgentText(real, null, text) })
      },
      async update({ projectID, file, hash, text }) {
        const at = await known(projectID, file)
        return change(by, at, { text, write: () => writeAgentText(at.real, hash, text) })
      },
      async remove({ projectID, file, hash }) {
        const at = await known(projectID, file)
        return change(by, at, { text: null, write: () => removeAgentText(at.real, hash) })
      },
    }),
  }
}

async function overview(deps: AgentFilesDeps, project: Project) {
  const [loaded, agents] = await Promise.all([deps.configOf(project), deps.agentsOf(project)])
  const own = userPlace(deps).directory
  const from = {
    home: deps.home,
    pathOf: (file: string) => knownAgentPath(deps, project, file),
    isOwn: (file: string) => isWithin(own, file) || !isWithin(project.worktree, file),
    async modelProblemOf({ model }: Agent) {
      if (model === null) return null
      return deps.checkModel(loaded.config, model).then(
        () => null,
        (error: unknown) => {
          if (!isDocketError(error)) throw error
          return error.message
        },
      )
    },
  }
  return overviewOf(from, loaded, agents)
}

async function draft(
  { programs }: AgentFilesDeps,
  { name, origin, text, form }: Parameters<AgentFileService["draft"]>[0],
): Promise<AgentDraft> {
  // The YAML parser is loaded only when needed.
  const [{ parseAgentMarkdown }, { formOf, writeForm }] = await Promise.all([
    import("../../setup/config/parse-agent-markdown.ts"),
    import("./agent-form.ts"),
  ])
  const read = (given: string) => parseAgentMarkdown({ file: `${name}.md`, name, origin }, given, programs)
  const isTranslated = origin === "claude"
  const asForm = (given: string) => {
    const { agent } = given.trim() === "" ? { agent: {} } : read(given)
    return agent === null || isTranslated ? null : formOf(agent)
  }
  const before = asForm(text)
  const written = form === undefined || before === null ? null : writeForm(text, before, form)
  const now = written ?? text
  return { text: now, form: asForm(now), problems: now.trim() === "" ? [] : read(now).problems }
}

/** Names that differ only in case would be one file on some machines. */
function refuseTaken(name: string, { agents, waiting }: Awaited<ReturnType<typeof overview>>): void {
  const taken = [...agents, ...waiting].find((other) => other.name.toLowerCase() === name.toLowerCase())
  if (taken === undefined) return
  const own = agents.some((agent) => agent.name === taken.name && agent.native)
  const message = `There is an agent "${taken.name}" already${own ? ", which ships with Docket" : ""}. Choose another name, or say that this one is to count in its place.`
  throw new DocketError("invalid_input", message)
}

function noSuchFile(file: string): DocketError {
  return new DocketError("agent_not_found", `${file} is no agent's file here, or it is gone.`)
}
