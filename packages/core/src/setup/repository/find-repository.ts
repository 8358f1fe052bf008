import { DocketError } from "../../ground/error/docket-error.ts"
import { type RepositoryLimits, repositoryAddress } from "../../ground/git/repository-address.ts"
import type { Repository } from "../../ground/schema/index.ts"
import type { Mirrors } from "./mirrors.ts"

/** What names a repository; the rest is found out. */
export interface RepositoryInput {
  url: string
  /** Left out for the branch that the server names. */
  ref?: string | undefined
  credential?: string | undefined
  subdirectory?: string | undefined
}

/**
 * Checks that the server has the repository and its branch, and lets this workspace in.
 * @throws repository_refused, repository_unavailable, credential_not_found, credential_refused
 */
export async function findRepository(
  { mirrors, limits }: { mirrors: Pick<Mirrors, "ask">; limits(): Promise<RepositoryLimits> },
  { url: text, ref, credential = "", subdirectory = "" }: RepositoryInput,
  signal: AbortSignal,
): Promise<Repository> {
  const url = repositoryAddress(text, await limits())
  const named = { url, credential: credential || null, subdirectory: subdirectory || null }
  const wanted = ref ? `refs/heads/${ref}` : "HEAD"
  const said = await mirrors.ask(named, ["ls-remote", "--symref", url, wanted], signal)
  if (ref) {
    if (said.split("\n").some((line) => line.endsWith(`\t${wanted}`))) return { ...named, ref }
    throw new DocketError("repository_unavailable", `The repository ${url} has no branch ${ref}.`)
  }
  const head = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(said)?.[1]
  if (head !== undefined) return { ...named, ref: head }
  throw new DocketError(
    "repository_unavailable",
    `The repository ${url} has no commit yet, or names no branch. Name one.`,
  )
}
