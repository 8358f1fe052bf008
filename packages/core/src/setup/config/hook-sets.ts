import { basename, dirname, relative } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { HooksConfig } from "../../ground/schema/hooks-config.ts"
import type { ScriptPlaces } from "./hook-scripts.ts"
import type { CountingSource, LoadedConfig } from "./loaded-config.ts"
import type { JudgedFile, ProvidedFile } from "./provided-file.ts"

/** The hooks of one file that counts. */
export interface HookSet {
  /** How people name the file. */
  name: string
  /** Absolute. */
  file: string
  /** From 1, where its hooks begin. */
  line: number
  /** The user's own, not a project's. */
  isOwn: boolean
  /** They were set for another program: they run once the user wants them here, too. */
  needsConsent: boolean
  hooks: HooksConfig
  /** The user trusted them in another form: they do not run, and what they guard is blocked. */
  isHeld: boolean
  /** The files of the project that they may run, as the user trusted them; null where they are not part of the trust. */
  scripts: TrustedScripts | null
}

export interface TrustedScripts extends ScriptPlaces {
  /** The SHA-256 (hex) of each, by its path from the top. */
  trusted: ReadonlyMap<string, string>
}

interface HooksOfProject {
  sources: readonly CountingSource[]
  provided: readonly JudgedFile[]
  heldHooks: LoadedConfig["heldHooks"]
}

/** Where names of files begin. */
interface Places {
  worktree: string
  home: string
}

/**
 * The hooks that count, in the order in which they run: the user's, then the project's.
 * @param foreign the user's own for other programs
 */
export function hookSets(
  { sources, provided, heldHooks }: HooksOfProject,
  foreign: readonly ProvidedFile[],
  places: Places,
): HookSet[] {
  const set = sources.flatMap(({ file, layer, config, place }): HookSet[] => {
    const { hooks } = config
    if (hooks === undefined || Object.keys(hooks).length === 0) return []
    const isOwn = layer !== "project"
    const { line } = place(["hooks"])
    return [
      {
        name: shortName(file, isOwn, places),
        file,
        line,
        isOwn,
        needsConsent: false,
        isHeld: false,
        hooks,
        scripts: null,
      },
    ]
  })
  const ofFile = (found: ProvidedFile, isOwn: boolean): HookSet[] => {
    const hooks = HooksConfig.safeParse(JSON.parse(found.text)).data
    if (hooks === undefined) return []
    const { file, name, beside = [] } = found
    const top = file.slice(0, -name.length - 1)
    const trusted = new Map(beside.map((script) => [relative(top, script.file), script.sha256]))
    // The file lies in `.claude` of a directory.
    const scripts = isOwn ? null : { top, level: dirname(dirname(file)), trusted }
    return [{ name, file, line: 1, isOwn, needsConsent: isOwn, isHeld: false, hooks, scripts }]
  }
  const brought = provided.filter(({ kind, trusted }) => kind === "hook" && trusted)
  const held = heldHooks.map(({ file, name, hooks }): HookSet => {
    return {
      name: name ?? shortName(file, false, places),
      file,
      line: 1,
      isOwn: false,
      needsConsent: false,
      isHeld: true,
      hooks,
      scripts: null,
    }
  })
  return [
    ...foreign.flatMap((file) => ofFile(file, true)),
    ...set.filter(({ isOwn }) => isOwn),
    ...brought.flatMap((file) => ofFile(file, false)),
    ...set.filter(({ isOwn }) => !isOwn),
    ...held,
  ]
}

function shortName(file: string, isOwn: boolean, { worktree, home }: Places): string {
  // A task works in a checkout of its own, and its settings lie in the project's.
  if (!isOwn) return isWithin(worktree, file) ? relative(worktree, file) : basename(file)
  return isWithin(home, file) ? `~/${relative(home, file)}` : file
}
