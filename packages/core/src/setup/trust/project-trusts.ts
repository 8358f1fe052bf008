import { realpath } from "node:fs/promises"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Caller, Project } from "../../ground/schema/index.ts"
import type { TrustStore } from "../../ground/store/index.ts"
import { trustedName } from "../config/judge-project.ts"
import type { LoadedConfig } from "../config/loaded-config.ts"
import type { Projects } from "../project/projects.ts"
import type { Configs } from "./configs.ts"
import type { ConfigService, TrustedDirectory } from "./trust-service.ts"

interface ProjectTrustsDeps {
  store: TrustStore
  configs: Configs
  projects: Pick<Projects, "get" | "list">
  bus: Bus
  clock: () => number
}

export type ProjectTrusts = Pick<ConfigService, "revoke" | "trusted" | "revokeDirectory"> & {
  /** Like the function {@link makeOwnChange}, and publishes the change. */
  makeOwnChange(change: OwnChange, by: Caller): Promise<boolean>
  trust(input: Parameters<ConfigService["trust"]>[0], by: Caller): ReturnType<ConfigService["trust"]>
}

/** The user's decisions to trust projects. */
export function createProjectTrusts(deps: ProjectTrustsDeps): ProjectTrusts {
  const read = (project: Project) => {
    deps.configs.forget()
    return deps.configs.of(project)
  }
  const tell = (projectID: Project["id"]) =>
    deps.bus.publish({ type: "config.updated", properties: { projectID }, rootID: null, seq: null })
  const tellOfDirectory = async (directory: string) => {
    for (const project of await deps.projects.list()) {
      const real = await realpath(project.worktree).catch(() => project.worktree)
      if (trustedName(project, real) === directory) tell(project.id)
    }
  }
  const revokeDirectory = async (directory: string) => {
    await deps.store.remove(directory)
    deps.configs.forget()
    await tellOfDirectory(directory)
  }
  return {
    async makeOwnChange(change, by) {
      const counts = await makeOwnChange(deps, change, by)
      for (const { id } of await deps.projects.list()) tell(id)
      return counts
    },
    async trust({ projectID, hash }, by) {
      const project = await deps.projects.get(projectID)
      const { trust: current, digests } = await read(project)
      if (current.directory === null || current.hash !== hash) {
        const message = `What ${project.directory} brings is not what you looked at: it has changed. Look at it again.`
        throw new DocketError("config_changed", message)
      }
      const time = { trusted: deps.clock() }
      const directory = trustedName(project, current.directory)
      await deps.store.put({ directory, hash, entries: digests, by, time })
      const { trust } = await read(project)
      await tellOfDirectory(directory)
      return trust
    },
    async revoke(projectID) {
      const project = await deps.projects.get(projectID)
      const { directory } = (await read(project)).trust
      if (directory !== null) await revokeDirectory(trustedName(project, directory))
      return (await read(project)).trust
    },
    async trusted() {
      const newest = new Map<string, TrustedDirectory>()
      for (const { directory, time } of await deps.store.list()) {
        if (!newest.has(directory)) newest.set(directory, { directory, time })
      }
      return [...newest.values()]
    },
    revokeDirectory,
  }
}

interface OwnChangeDeps {
  store: Pick<TrustStore, "put">
  configs: Configs
  clock: () => number
}

/** A change to one configuration file of a project, made by the user through Docket. */
export interface OwnChange {
  /** Null where the file is the user's own, and no project is looked at. */
  project: Project | null
  /** Absolute path, as found. */
  file: string
  /** The digest of the file's new text, as in `LoadedConfig.texts`; null when it is removed. */
  digest: string | null
  write(): Promise<void>
}

/**
 * Makes the change. A configuration that counted before still counts afterwards, because the user made the change. If
 * anything else changed meanwhile, it waits for trust.
 * @returns whether the configuration of the project counts now
 */
export async function makeOwnChange(deps: OwnChangeDeps, change: OwnChange, by: Caller): Promise<boolean> {
  const read = () => {
    deps.configs.forget()
    return deps.configs.of(change.project)
  }
  const before = await read()
  await change.write()
  const after = await read()
  if (configCounts(after)) return true
  const { directory } = after.trust
  const [hash] = after.digests
  if (!configCounts(before) || directory === null || hash === undefined) return false
  if (!isOnlyChange(before, after, change)) return false
  const entries = after.digests.slice(0, 1 + configEntriesOf(after).length)
  const name = trustedName(change.project, directory)
  await deps.store.put({ directory: name, hash, entries, by, time: { trusted: deps.clock() } })
  return configCounts(await read())
}

/** The entries of the configuration itself; those of the files provided besides it come after them. */
function configEntriesOf({ trust, provided }: LoadedConfig) {
  return trust.entries.slice(0, trust.entries.length - provided.length)
}

function configCounts(loaded: LoadedConfig): boolean {
  return configEntriesOf(loaded).every(({ counts }) => counts)
}

/** Whether all other files and what they name are unchanged, and this file is as written. */
function isOnlyChange(before: LoadedConfig, after: LoadedConfig, { file, digest }: OwnChange): boolean {
  if ((after.texts.get(file) ?? null) !== digest) return false
  const others = new Set([...before.texts.keys(), ...after.texts.keys()])
  others.delete(file)
  if ([...others].some((other) => before.texts.get(other) !== after.texts.get(other))) return false
  const known = new Set(before.digests)
  // The first digest is that of the whole configuration.
  return configEntriesOf(after).every((entry, at) => entry.file === file || known.has(after.digests[at + 1] ?? ""))
}
