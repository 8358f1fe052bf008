import { execFileSync } from "node:child_process"

/** The measured commit. */
export interface Commit {
  /** The full hash. */
  commit: string
  subject: string
}

/**
 * The commit of a working tree.
 * @throws Error when files differ from it, because results are saved only for code that others can check out. Saved
 *   results themselves may differ.
 */
export function describeCommit(directory: string): Commit {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, encoding: "utf8" }).trimEnd()
  const changed = git("status", "--porcelain", "--", ":/", ":(top,exclude)bench/results")
  if (changed !== "") throw new Error(`results are saved of a commit: commit these files first\n${changed}`)
  const [commit = "", subject = ""] = git("log", "-1", "--format=%H%n%s").split("\n")
  return { commit, subject }
}
