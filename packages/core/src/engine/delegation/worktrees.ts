import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, realpath, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import { projectGit } from "../../ground/git/project-git.ts"
import type { Environment } from "../../ground/git/run-git.ts"
import { type Project, ProjectID, SessionID, type Task } from "../../ground/schema/index.ts"

/** Commits are Docket's, never the user's: the user's name stands for their own work. */
const author = ["-c", "user.name=Docket", "-c", "user.email=docket@localhost"]

/** Git prints file names as they are, without quoting other letters. */
const plain = ["-c", "core.quotePath=false"]
/** Git does not run programs that the repository configures to show files. */
const plainDiff = ["--no-ext-diff", "--no-textconv"]
/** At most this many files are listed in a diff. */
const maxFiles = 100

type Worktree = NonNullable<Task["worktree"]>

/** Git worktrees for tasks that work isolated from the project, and for forks that have files of their own. */
export interface Worktrees {
  /** Files with uncommitted changes. Empty without git. */
  uncommitted(project: Project): Promise<string[]>
  /** A new branch and worktree at the project's HEAD. @throws worktree_failed */
  create(project: Project, description: string): Promise<Worktree>
  /**
   * A worktree without files, and its branch, both named like the session that gets them; the branch is at the project's
   * HEAD. @throws worktree_failed
   */
  createForFork(project: Project, sessionID: string): Promise<Pick<Worktree, "directory" | "branch">>
  /** Removes the worktree of a fork if it has one, and its branch unless commits are only there. */
  discardFork(project: Project, sessionID: string): Promise<void>
  /** Commits the task's changes. Without any change the worktree and its branch are removed. */
  finish(worktree: Worktree, message: string): Promise<Worktree>
  /** The changes of the branch as `git diff --stat`; null when there are none. */
  diffStat(worktree: Worktree): Promise<string | null>
  /** Removes a worktree that no task has used. */
  discard(project: Project, worktree: Worktree): Promise<void>
  /**
   * Merges the branch into the project; with conflicts the project stays as it was.
   * @throws worktree_failed, also while a merge or rebase of the project is under way
   */
  merge(project: Project, worktree: Worktree): Promise<Worktree>
  /** Removes worktrees on disk that belong to no open or unmerged task and to no session. */
  sweep(kept: Worktree[], hasSession: (id: string) => Promise<boolean>): Promise<void>
}

interface WorktreesDeps {
  /** Absolute directory for all worktrees. */
  root: string
  env: Environment
}

export function createWorktrees({ root, env }: WorktreesDeps): Worktrees {
  const oneByOne = createQueue()
  const git = createGit(env)
  /** Adds a worktree without files. `advice` says what to do without a commit. */
  const add = async (project: Project, name: string, advice: string) => {
    const branch = `docket/${name}`
    await mkdir(root, { recursive: true, mode: 0o700 })
    const directory = join(await realpath(root), name)
    const base = await headOf(git, project.worktree, advice)
    await git(project.worktree, ["worktree", "add", "--no-checkout", "-b", branch, directory, base])
    return { directory, branch, base }
  }
  return {
    async uncommitted(project) {
      if (!project.git) return []
      const status = await git(project.worktree, ["status", "--porcelain", "-z", "--no-renames"])
      return status.split("\0").flatMap((line) => (line === "" ? [] : line.slice(3)))
    },
    async create(project, description) {
      if (!project.git) {
        throw new DocketError(
          "worktree_failed",
          "The agent works in a git worktree, but the project is not a git repository. Run git init, or set isolation to none.",
        )
      }
      const name = `${slug(description)}-${randomBytes(3).toString("hex")}`
      // The files are checked out by a separate command, which reads the git configuration of the new worktree.
      const { directory, branch, base } = await add(project, name, "Make one, or set isolation to none.")
      try {
        await git(directory, ["reset", "--hard", "-q"])
      } catch (error) {
        await removeWorktree(git, { directory, branch }, project.worktree)
        throw error
      }
      return { directory, branch, base, state: "active", conflicts: [] }
    },
    async createForFork(project, sessionID) {
      if (!project.git) {
        throw new DocketError(
          "worktree_failed",
          "A fork with its files works in a git worktree, but the project is not a git repository. Run git init and open the project again, or fork the conversation alone.",
        )
      }
      const { directory, branch } = await add(project, sessionID, "Make one, or fork the conversation alone.")
      try {
        await git(directory, ["reset", "-q"])
      } catch (error) {
        await removeWorktree(git, { directory, branch }, project.worktree)
        throw error
      }
      return { directory, branch }
    },
    async discardFork(project, sessionID) {
      const directory = join(root, sessionID)
      if (existsSync(directory)) await removeForkWorktree(git, await realpath(directory), project.worktree)
    },
    async finish(worktree, message) {
      const { directory, base } = worktree
      await git(directory, ["add", "-A"])
      if ((await git(directory, ["status", "--porcelain"])).trim() !== "") {
        await git(directory, [...author, "commit", "-q", "-m", message])
      }
      const head = await headOf(git, directory)
      // The task may have switched to another branch or detached HEAD.
      const current = (await git(directory, ["rev-parse", "--symbolic-full-name", "HEAD"])).trim()
      if (current !== `refs/heads/${worktree.branch}`) await git(directory, ["branch", "-f", worktree.branch, head])
      if (head !== base) return { ...worktree, state: "ready" }
      await removeWorktree(git, worktree)
      return { ...worktree, state: "removed" }
    },
    discard: (project, worktree) => removeWorktree(git, worktree, project.worktree),
    async diffStat(worktree) {
      if (worktree.state === "removed") return null
      return (
        (
          await git(worktree.directory, [
            "diff",
            ...plainDiff,
            `--stat-count=${maxFiles}`,
            "--stat",
            worktree.base,
            "HEAD",
          ])
        ).trimEnd() || null
      )
    },
    merge: (project, worktree) => oneByOne(() => mergeBranch(git, project.worktree, worktree)),
    async sweep(kept, hasSession) {
      const directories = new Set(kept.map((worktree) => worktree.directory))
      const names = await readdir(root).catch(() => [])
      for (const name of names) {
        const directory = join(await realpath(root), name)
        // That of a project with a repository is no worktree.
        if (directories.has(directory) || ProjectID.safeParse(name).success) continue
        const isFork = SessionID.safeParse(name).success
        if (isFork && (await hasSession(name))) continue
        const removed = isFork
          ? removeForkWorktree(git, directory)
          : removeWorktree(git, { directory, branch: `docket/${name}` })
        await removed.catch(() => rm(directory, { recursive: true, force: true }))
      }
    },
  }
}

async function mergeBranch(git: Git, repository: string, worktree: Worktree): Promise<Worktree> {
  await assertNothingUnderWay(git, repository)
  const message = `Merge ${worktree.branch}`
  try {
    await git(repository, [...author, "merge", "--no-ff", "--no-stat", "-m", message, worktree.branch])
  } catch (error) {
    const files = await git(repository, ["diff", ...plainDiff, "--name-only", "--diff-filter=U", "-z"])
    const conflicts = files.split("\0").filter(Boolean)
    if (conflicts.length === 0) throw error
    await git(repository, ["merge", "--abort"])
    return { ...worktree, state: "conflict", conflicts }
  }
  await removeWorktree(git, worktree, repository)
  return { ...worktree, state: "merged", conflicts: [] }
}

/** Git has one of these while a person merges or rebases. Aborting our merge would abort theirs. */
const underWay = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"]

async function assertNothingUnderWay(git: Git, repository: string): Promise<void> {
  const paths = await Promise.all(
    underWay.map((name) => git(repository, ["rev-parse", "--path-format=absolute", "--git-path", name])),
  )
  if (!paths.some((path) => existsSync(path.replace(/\n$/, "")))) return
  throw new DocketError(
    "worktree_failed",
    "The project is in the middle of a merge, rebase, cherry-pick or revert. Finish or abort that first.",
  )
}

/**
 * Removes the worktree and its branch, also when somebody deleted its directory. Without `repository`, it is found
 * through the worktree.
 */
async function removeWorktree(
  git: Git,
  { directory, branch }: Pick<Worktree, "directory" | "branch">,
  repository?: string,
): Promise<void> {
  const from = await removeDirectory(git, directory, repository)
  await git(from, ["branch", "-D", branch])
}

/** Removes the worktree of a fork. Git keeps its branch when it has commits that the project's HEAD has not. */
async function removeForkWorktree(git: Git, directory: string, repository?: string): Promise<void> {
  const from = await removeDirectory(git, directory, repository)
  await git(from, ["branch", "-d", `docket/${basename(directory)}`]).catch(() => {})
}

/** @returns where git runs that belongs to the repository */
async function removeDirectory(git: Git, directory: string, repository: string | undefined): Promise<string> {
  const from =
    repository ?? (await git(directory, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).replace(/\n$/, "")
  if (existsSync(directory)) await git(from, ["worktree", "remove", "--force", directory])
  await git(from, ["worktree", "prune"])
  return from
}

async function headOf(git: Git, directory: string, advice = "Make one."): Promise<string> {
  try {
    return (await git(directory, ["rev-parse", "--verify", "-q", "HEAD"])).trim()
  } catch (cause) {
    throw new DocketError("worktree_failed", `The repository has no commit yet. ${advice}`, { cause })
  }
}

/** Runs one at a time: two merges at once would abort each other. */
function createQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run)
    last = next.catch(() => {})
    return next
  }
}

/** Runs git in a directory and returns its output. @throws worktree_failed */
type Git = (directory: string, args: string[]) => Promise<string>

function createGit(env: Environment): Git {
  return async (directory, args) => {
    try {
      return (await projectGit({ directory, env }, [...plain, ...args])).toString("utf8")
    } catch (cause) {
      throw new DocketError("worktree_failed", cause instanceof Error ? cause.message : String(cause), { cause })
    }
  }
}

function slug(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
  return words.slice(0, 40) || "task"
}

/**
 * Commits a task's changes in its worktree and adds branch and diff to the answer. After a failure the answer reports
 * it and the worktree stays active, so that the next start tries again.
 */
export async function finishWorktree(worktrees: Worktrees, task: Task): Promise<Task> {
  if (task.worktree === null || task.worktree.state !== "active") return task
  const add = (note: string) => (task.result === null ? note : `${task.result}\n\n${note}`)
  try {
    const worktree = await worktrees.finish(
      task.worktree,
      `${task.description}\n\nTask #${task.number} by ${task.agent}.`,
    )
    const diff = await worktrees.diffStat(worktree)
    const note = diff === null ? "The task changed no files." : `The changes are on branch ${worktree.branch}:\n${diff}`
    return { ...task, worktree, result: add(note) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      ...task,
      result: add(`The changes could not be committed (${reason}). They lie in ${task.worktree.directory}.`),
    }
  }
}
