import { existsSync, lstatSync } from "node:fs"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import { projectGit } from "../../ground/git/project-git.ts"
import type { Environment } from "../../ground/git/run-git.ts"
import { borrow } from "../../setup/repository/make-checkout.ts"
import { type HeldSubmodules, holdSubmodules } from "./session-submodules.ts"

/** Commits are Docket's, never the user's: the user's name stands for their own work. */
const author = ["-c", "user.name=Docket", "-c", "user.email=docket@localhost"]
/** Where a session's repository keeps the newest state, and what the server has of the states. */
const refs = { state: "refs/docket/state", stored: "refs/docket/stored" }

/** A commit that stands for the files of a session. */
export interface State {
  /** Its tree is the files, its only parent the commit that was checked out. */
  commit: string
  head: string
}

/** The repository of a session on this host, without the server. */
export interface SessionCheckout {
  directory: string
  /** Where its objects are. @throws worktree_failed when somebody has replaced the git directory */
  objects(): string
  /** Commits the files beside what the agent commits. Null when nothing changed since the last time. @throws GitError */
  keep(message: string): Promise<State | null>
  /** Commits what is not committed on the branch that is checked out. @returns the commit of that branch */
  commitAll(message: string): Promise<string>
  /** The operation of git that somebody has begun and not ended; null for none. */
  underWay(): Promise<string | null>
  state(): Promise<string | null>
  /** The state that the server has; null for none. */
  stored(): Promise<string | null>
  setStored(commit: string): Promise<void>
  /** Whether the commit was made here. */
  has(commit: string): Promise<boolean>
  /** Whether a commit holds another one. */
  isWithin(older: string, newer: string): Promise<boolean>
  /** What the agent sees as the server's branch. */
  setRemote(branch: string, commit: string): Promise<void>
}

export interface CheckoutDeps {
  env: Environment
  /** The objects of the mirror. */
  mirrorObjects: string
  /** Left out without submodules. */
  submodules?: HeldSubmodules
}

export function openSessionCheckout(
  { env, mirrorObjects, submodules }: CheckoutDeps,
  directory: string,
): SessionCheckout {
  const gitDirectory = join(directory, ".git")
  const git = async (args: string[], options: { index?: string; answers?: readonly number[] } = {}) => {
    const { index, answers } = options
    const variables = index === undefined ? undefined : { GIT_INDEX_FILE: index }
    const place = { directory, env, ...(variables && { variables }), ...(answers && { answers }) }
    return (await projectGit(place, args)).toString("utf8").trim()
  }
  const refOf = async (ref: string) => (await git(["for-each-ref", "--format=%(objectname)", ref])) || null
  const headOf = () => git(["rev-parse", "--verify", "HEAD^{commit}"])
  const objects = () => {
    if (lstatSync(gitDirectory, { throwIfNoEntry: false })?.isDirectory()) return join(gitDirectory, "objects")
    throw new DocketError(
      "worktree_failed",
      `${gitDirectory} is no directory any more. The session needs its repository.`,
    )
  }
  const addAll = async (index?: string) => {
    objects()
    // The agent could have named other objects, which would be sent with its own.
    await borrow(directory, mirrorObjects)
    // A repository within this one that has no commit cannot be added; all other files are.
    await git(["add", "--all", "--ignore-errors"], { answers: [1, 128], ...(index && { index }) })
    if (submodules !== undefined) await holdSubmodules((args) => git(args, index ? { index } : {}), submodules)
  }
  return {
    directory,
    objects,
    async keep(message) {
      const index = join(gitDirectory, "docket-index")
      // What git knows of the files makes it fast.
      if (!existsSync(index)) await copyFile(join(gitDirectory, "index"), index).catch(() => {})
      await addAll(index)
      const [tree, head, last] = [await git(["write-tree"], { index }), await headOf(), await refOf(refs.state)]
      const known = last === null ? "" : await git(["rev-parse", `${last}^{tree}`, `${last}^`])
      if (known === `${tree}\n${head}`) return null
      const commit = await git([...author, "commit-tree", tree, "-p", head, "-m", message])
      await git(["update-ref", refs.state, commit])
      return { commit, head }
    },
    async commitAll(message) {
      await addAll()
      if ((await git(["status", "--porcelain", "--untracked-files=no"])) !== "")
        await git([...author, "commit", "--quiet", "--no-verify", "-m", message], { answers: [1] })
      return headOf()
    },
    async underWay() {
      const begun = { MERGE_HEAD: "merge", CHERRY_PICK_HEAD: "cherry-pick", REVERT_HEAD: "revert" }
      const rebase = { "rebase-merge": "rebase", "rebase-apply": "rebase" }
      const found = Object.entries({ ...begun, ...rebase }).find(([name]) => existsSync(join(gitDirectory, name)))
      return found?.[1] ?? null
    },
    state: () => refOf(refs.state),
    stored: () => refOf(refs.stored),
    setStored: async (commit) => void (await git(["update-ref", refs.stored, commit])),
    has: (commit) => succeeds(git(["cat-file", "-e", `${commit}^{commit}`])),
    isWithin: (older, newer) => succeeds(git(["merge-base", "--is-ancestor", older, newer])),
    setRemote: async (branch, commit) => void (await git(["update-ref", `refs/remotes/origin/${branch}`, commit])),
  }
}

function succeeds(run: Promise<unknown>): Promise<boolean> {
  return run.then(
    () => true,
    () => false,
  )
}
