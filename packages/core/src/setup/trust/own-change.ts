import type { Caller, Project } from "../../ground/schema/index.ts"
import type { TrustStore } from "../../ground/store/index.ts"
import type { LoadedConfig } from "../config/loaded-config.ts"
import type { Configs } from "./configs.ts"

export interface OwnChangeDeps {
  store: Pick<TrustStore, "put">
  configs: Configs
  clock: () => number
}

/** A change of one configuration file of a project that the user makes through Docket. */
export interface OwnChange {
  project: Project
  /** Absolute, as it is found. */
  file: string
  /** The digest of its text afterwards, as in `LoadedConfig.texts`; null when it is gone. */
  digest: string | null
  write(): Promise<void>
}

/**
 * Makes the change. Where the configuration counted as it stood, it counts afterwards, too: the user has written what is
 * new himself. Where anything else changed meanwhile, it waits for trust as ever.
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
  await deps.store.put({ directory, hash, entries, by, time: { trusted: deps.clock() } })
  return configCounts(await read())
}

function configEntriesOf({ trust, brought }: LoadedConfig) {
  return trust.entries.slice(0, trust.entries.length - brought.length)
}

function configCounts(loaded: LoadedConfig): boolean {
  return configEntriesOf(loaded).every(({ counts }) => counts)
}

/** All other files are as they were, with what they name, and this one is as it was written. */
function isOnlyChange(before: LoadedConfig, after: LoadedConfig, { file, digest }: OwnChange): boolean {
  if ((after.texts.get(file) ?? null) !== digest) return false
  const others = new Set([...before.texts.keys(), ...after.texts.keys()])
  others.delete(file)
  if ([...others].some((other) => before.texts.get(other) !== after.texts.get(other))) return false
  const known = new Set(before.digests)
  return configEntriesOf(after).every((entry, at) => entry.file === file || known.has(after.digests[at + 1] ?? ""))
}
