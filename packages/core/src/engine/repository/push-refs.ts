import { isDocketError } from "../../ground/error/docket-error.ts"
import { GitError } from "../../ground/git/run-git.ts"
import type { Mirrors, RepositoryProject } from "../../setup/repository/mirrors.ts"

/** The ref of the server that holds a session's newest files: no branch, so nobody sees it in lists of branches. */
export function stateRef(sessionID: string): string {
  return `refs/docket/${sessionID}`
}

/** How a push ended: `moved` when the server's ref is not what it was expected to be, with what it is. */
export type Pushed = { as: "pushed" } | { as: "moved" } | { as: "refused"; reason: string }

/**
 * Puts a commit into a ref of the server, if that is still at `expected` (null: if there is none). So nobody's commits are
 * ever overwritten.
 * @throws repository_refused, repository_unavailable, credential_refused, GitError
 */
export async function pushRef(
  mirrors: Pick<Mirrors, "remote">,
  project: RepositoryProject,
  { ref, commit, expected }: { ref: string; commit: string; expected: string | null },
  { objects, signal }: { objects: string; signal: AbortSignal },
): Promise<Pushed> {
  const args = ["push", "--quiet", "--no-verify", `--force-with-lease=${ref}:${expected ?? ""}`]
  try {
    await mirrors.remote(project, [...args, project.repository.url, `${commit}:${ref}`], { objects: [objects], signal })
    return { as: "pushed" }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    const [, how, reason = ""] =
      /^ ! \[(rejected|remote rejected)\] .*?\(([^()\n]*(?:\([^()\n]*\))?[^()\n]*)\)\s*$/m.exec(error.message) ?? []
    if (how === "rejected") return { as: "moved" }
    if (how === "remote rejected") return { as: "refused", reason: reasonOf(error.message, reason) }
    throw error
  }
}

/** What the server's hook said, or else its reason in short. */
function reasonOf(said: string, reason: string): string {
  const lines = said
    .split("\n")
    .flatMap((line) => /(?:^|failed: )remote:\s*(?!error: )(\S.*?)\s*$/.exec(line)?.[1] ?? [])
  return [...lines.slice(0, 3), reason].join(": ").slice(0, 300)
}

/** The commit that the server has in a ref; null for none. @throws as `pushRef` */
export async function remoteRef(
  mirrors: Pick<Mirrors, "remote">,
  project: RepositoryProject,
  ref: string,
  signal: AbortSignal,
): Promise<string | null> {
  const said = await mirrors.remote(project, ["ls-remote", project.repository.url, ref], { signal })
  return /^([0-9a-f]{40,64})\t/m.exec(said)?.[1] ?? null
}

/** The words of a failure that a person reads. */
export function problemOf(error: unknown): string {
  if (isDocketError(error)) return error.message
  const text = error instanceof Error ? error.message : String(error)
  return text.split("\n").slice(0, 3).join(" ").slice(0, 300)
}
