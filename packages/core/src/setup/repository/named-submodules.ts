import { DocketError } from "../../ground/error/docket-error.ts"
import { type RepositoryLimits, repositoryAddress } from "../../ground/git/repository-address.ts"
import { Subdirectory } from "../../ground/schema/index.ts"
import type { Mirrors } from "./mirrors.ts"

/** Most bytes of a `.gitmodules` that is read. */
const mostBytes = 1024 ** 2

/** A commit of another repository, as a commit of this one names it. */
export interface SubmoduleLink {
  /** Relative, with `/`. */
  path: string
  commit: string
}

/** The submodules that the files of a commit have. They may lie anywhere, and nothing may say where they come from. */
export async function submoduleLinks(
  mirrors: Pick<Mirrors, "git">,
  mirror: string,
  commit: string,
): Promise<SubmoduleLink[]> {
  const listed = await mirrors.git(mirror, ["ls-tree", "-r", "-z", "--full-tree", commit])
  return listed.split("\0").flatMap((line) => {
    const [, link, path] = /^160000 commit ([0-9a-f]{40,64})\t(.+)$/s.exec(line) ?? []
    return link === undefined || path === undefined ? [] : [{ path, commit: link }]
  })
}

/**
 * What `.gitmodules` of a commit says of addresses, by path. Nothing else that it says counts: names of directories and
 * commands for updates are left alone. Source: gitmodules(5).
 */
export async function submoduleAddresses(
  mirrors: Pick<Mirrors, "git">,
  mirror: string,
  commit: string,
): Promise<Map<string, string>> {
  const file = `${commit}:.gitmodules`
  const size = await mirrors.git(mirror, ["cat-file", "-s", file]).catch(() => "")
  if (size === "" || Number(size) > mostBytes) return new Map()
  const said = await mirrors.git(mirror, ["config", "--blob", file, "--no-includes", "-z", "--list"]).catch(() => "")
  const entries = new Map<string, { path?: string; url?: string }>()
  for (const line of said.split("\0")) {
    const [, name, key, value] = /^submodule\.(.+)\.(path|url)\n(.*)$/s.exec(line) ?? []
    if (name === undefined || key === undefined) continue
    entries.set(name, { ...entries.get(name), [key]: value })
  }
  return new Map([...entries.values()].flatMap(({ path, url }) => (path && url ? [[path, url]] : [])))
}

/**
 * The address of a submodule as it may be fetched: an address by HTTPS, or one that begins with `./` or `../` and so
 * starts from the repository around it.
 * @throws repository_refused
 */
export function submoduleAddress(text: string, around: string, limits: RepositoryLimits): string {
  const whole = /^\.\.?\//.test(text) ? new URL(text, `${around}/`).href : text
  return repositoryAddress(whole, limits)
}

/** @throws repository_refused when the path of a submodule leads out of the repository, or into git's own files */
export function checkSubmodulePath(path: string): void {
  // Some file systems leave out signs that nobody sees.
  if (Subdirectory.safeParse(path).success && !/\p{Cf}|(?:^|\/)git~\d/iu.test(path)) return
  throw new DocketError("repository_refused", "Its path is no directory within the repository.")
}
