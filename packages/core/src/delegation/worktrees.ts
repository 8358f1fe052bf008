import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdir, readdir, realpath, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { DocketError } from "../error.ts"
import type { Project, Task } from "../schema/index.ts"

const run = promisify(execFile)
/** Output of git that is kept; a diff that is longer is cut. */
const maxOutput = 8 * 1024 * 1024
/** Who commits: never the user, whose name stands for what they did themselves. */
const author = ["-c", "user.name=Docket", "-c", "user.email=docket@localhost", "-c", "commit.gpgsign=false"]

type Worktree = NonNullable<Task["worktree"]>

/** Git worktrees in which tasks work apart from the project. */
export interface Worktrees {
  /** A new branch and worktree at the project's HEAD. @throws worktree_failed */
  create(project: Project, description: string): Promise<Worktree>
  /** Commits what the task left. Without any change the worktree and its branch are removed. */
  finish(worktree: Worktree, message: string): Promise<Worktree>
  /** What the branch changes: `git diff --stat`, or null when it changes nothing. */
  diffStat(worktree: Worktree): Promise<string | null>
  /** Merges the branch into the project; with conflicts the project stays as it was. @throws worktree_failed */
  merge(project: Project, worktree: Worktree): Promise<Worktree>
  /** Removes worktrees on disk that no open or unmerged task has. */
  sweep(kept: Worktree[]): Promise<void>
}

/** @param root absolute directory for all worktrees */
export function createWorktrees(root: string): Worktrees {
  return {
    async create(project, description) {
      if (!project.git) {
        throw new DocketError(
          "worktree_failed",
          "The agent works in a git worktree, but the project is not a git repository. Run git init, or set isolation to none.",
        )
      }
      const name = `${slug(description)}-${randomBytes(3).toString("hex")}`
      const branch = `docket/${name}`
      await mkdir(root, { recursive: true, mode: 0o700 })
      const directory = join(await realpath(root), name)
      const base = (await git(project.worktree, ["rev-parse", "HEAD"])).trim()
      await git(project.worktree, ["worktree", "add", "-b", branch, directory, base])
      return { directory, branch, base, state: "active", conflicts: [] }
    },
    async finish(worktree, message) {
      const { directory, base } = worktree
      await git(directory, ["add", "-A"])
      if ((await git(directory, ["status", "--porcelain"])).trim() !== "") {
        await git(directory, [...author, "commit", "--no-verify", "-q", "-m", message])
      }
      const head = (await git(directory, ["rev-parse", "HEAD"])).trim()
      if (head !== base) return { ...worktree, state: "ready" }
      await removeWorktree(worktree)
      return { ...worktree, state: "removed" }
    },
    async diffStat(worktree) {
      if (worktree.state === "removed") return null
      return (await git(worktree.directory, ["diff", "--stat", worktree.base, "HEAD"])).trimEnd() || null
    },
    async merge(project, worktree) {
      const message = `Merge ${worktree.branch}`
      try {
        await git(project.worktree, [...author, "merge", "--no-ff", "--no-verify", "-m", message, worktree.branch])
      } catch (error) {
        const conflicts = (await git(project.worktree, ["diff", "--name-only", "--diff-filter=U"]))
          .split("\n")
          .filter(Boolean)
        if (conflicts.length === 0) throw error
        await git(project.worktree, ["merge", "--abort"])
        return { ...worktree, state: "conflict", conflicts }
      }
      await removeWorktree(worktree)
      return { ...worktree, state: "merged", conflicts: [] }
    },
    async sweep(kept) {
      const directories = new Set(kept.map((worktree) => worktree.directory))
      const names = await readdir(root).catch(() => [])
      for (const name of names) {
        const directory = join(await realpath(root), name)
        if (directories.has(directory)) continue
        await removeWorktree({ directory, branch: `docket/${name}` }).catch(() =>
          rm(directory, { recursive: true, force: true }),
        )
      }
    },
  }
}

/** Removes the worktree and its branch; the repository is found through the worktree. */
async function removeWorktree({ directory, branch }: Pick<Worktree, "directory" | "branch">): Promise<void> {
  const common = (await git(directory, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).trim()
  await git(common, ["worktree", "remove", "--force", directory])
  await git(common, ["branch", "-D", branch])
}

async function git(directory: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await run("git", ["-C", directory, ...args], { maxBuffer: maxOutput })
    return stdout
  } catch (cause) {
    const text = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : String(cause)
    throw new DocketError(
      "worktree_failed",
      `git ${args.find((arg) => !arg.startsWith("-") && !arg.includes("=")) ?? ""} failed: ${text || String(cause)}`,
      { cause },
    )
  }
}

function slug(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
  return words.slice(0, 40) || "task"
}
