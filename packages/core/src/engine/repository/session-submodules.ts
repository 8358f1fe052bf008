import { lstatSync } from "node:fs"
import { join } from "node:path"
import { projectGit } from "../../ground/git/project-git.ts"
import type { Environment } from "../../ground/git/run-git.ts"
import type { Session, SessionSubmodule } from "../../ground/schema/index.ts"
import { isKnownToSubmodules } from "../../setup/repository/make-submodules.ts"
import type { Mirrors } from "../../setup/repository/mirrors.ts"

/** The submodules of a session that have their files. What the session changes in them goes nowhere. */
export interface HeldSubmodules {
  all: readonly Pick<SessionSubmodule, "path" | "url">[]
  /** Whether the server of one of them has the commit. */
  isKnown(commit: string): Promise<boolean>
}

/** Undefined for a session without any. */
export function heldSubmodules(
  deps: { mirrors: Pick<Mirrors, "directoryOf">; env: Environment },
  projectID: string,
  session: Session | null,
): HeldSubmodules | undefined {
  const all = session?.repository?.submodules?.filter(({ problem }) => problem === null) ?? []
  if (all.length === 0) return undefined
  return { all, isKnown: (commit) => isKnownToSubmodules(deps, projectID, commit) }
}

/**
 * Takes commits of submodules out of the index that only this host has: whoever gets the files could not get those. A
 * submodule at another commit of its server stays in it.
 * @param git runs with the index of the session's repository
 */
export async function holdSubmodules(
  git: (args: string[]) => Promise<string>,
  { all, isKnown }: HeldSubmodules,
): Promise<void> {
  const paths = all.map(({ path }) => path)
  const [now, before] = [
    await git(["--literal-pathspecs", "ls-files", "--stage", "-z", "--", ...paths]),
    await git(["--literal-pathspecs", "ls-tree", "-z", "HEAD", "--", ...paths]),
  ].map((listed) => new Map([...listed.matchAll(/160000 (?:commit )?([0-9a-f]{40,64})(?: 0)?\t([^\0]+)/g)].map(toLink)))
  for (const [path, commit] of now ?? []) {
    const known = before?.get(path)
    if (known === undefined || known === commit || (await isKnown(commit))) continue
    await git(["update-index", "--cacheinfo", `160000,${known},${path}`])
  }
}

function toLink([, commit = "", path = ""]: readonly string[]): [path: string, commit: string] {
  return [path, commit]
}

/** What people have to know of what a session changed in its submodules; null when it changed nothing. */
export async function changedSubmodules(
  { env }: { env: Environment },
  top: string,
  { all, isKnown }: HeldSubmodules,
): Promise<string | null> {
  const changed: string[] = []
  for (const { path, url } of all) {
    const directory = join(top, path)
    if (!isOwnRepository(top, path)) continue
    const git = async (args: string[]) =>
      (await projectGit({ directory, env, timeout: 60_000 }, args)).toString("utf8").trim()
    try {
      const status = await git(["status", "--porcelain", "--ignore-submodules=all"])
      if (status === "" && (await isKnown(await git(["rev-parse", "HEAD"])))) continue
    } catch {
      // Its git directory is broken, and that is the session's own affair.
      continue
    }
    changed.push(
      `What was changed in the submodule ${shown(path)} is only on this host: no branch has it, and another host does not get it. Let a session of ${url} change that.`,
    )
  }
  return some(changed)
}

/** What people have to know of submodules that are not there; null when all are. */
export function missingSubmodules(submodules: readonly SessionSubmodule[]): string | null {
  return some(
    submodules.flatMap(({ path, problem }) =>
      problem === null ? [] : [`The submodule ${shown(path)} is empty. ${problem}`],
    ),
  )
}

/** The session may have put a link or another repository in its place. */
function isOwnRepository(top: string, path: string): boolean {
  const names = [...path.split("/"), ".git"]
  return names.every((_, index) =>
    lstatSync(join(top, ...names.slice(0, index + 1)), { throwIfNoEntry: false })?.isDirectory(),
  )
}

function shown(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}]/gu, "?").slice(0, 200)
}

/** The first three, and how many more there are. */
function some(sentences: readonly string[]): string | null {
  const rest = sentences.length - 3
  const all = [...sentences.slice(0, 3), ...(rest > 0 ? [`The same is so for ${rest} more.`] : [])]
  return all.length === 0 ? null : all.join(" ")
}
