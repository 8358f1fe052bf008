import { execFileSync } from "node:child_process"

/** The commit that is measured. */
export interface Commit {
  /** Its whole hash. */
  commit: string
  subject: string
}

/**
 * The commit that a working tree stands at.
 * @throws Error when files differ from it: figures are kept of what others can check out. Saved results may differ.
 */
export function describeCommit(directory: string): Commit {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, encoding: "utf8" }).trimEnd()
  const changed = git("status", "--porcelain", "--", ":/", ":(top,exclude)bench/results")
  if (changed !== "") throw new Error(`results are saved of a commit: commit these files first\n${changed}`)
  const [commit = "", subject = ""] = git("log", "-1", "--format=%H%n%s").split("\n")
  return { commit, subject }
}
