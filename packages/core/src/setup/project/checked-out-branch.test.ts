import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { runGit } from "../../ground/git/run-git.ts"
import { checkedOutBranch } from "./checked-out-branch.ts"

const env = { PATH: process.env.PATH, HOME: tmpdir() }

async function place() {
  const worktree = await mkdtemp(join(tmpdir(), "docket-branch-"))
  onTestFinished(() => rm(worktree, { recursive: true }))
  const git = (...args: string[]) => runGit(args, { cwd: worktree, env })
  return { worktree, git }
}

test("the branch is named before the first commit and after a switch", async () => {
  const { worktree, git } = await place()
  await git("init", "--quiet", "--initial-branch", "trunk")
  expect(await checkedOutBranch({ env }, { git: true, worktree })).toBe("trunk")
  await git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "One")
  await git("checkout", "--quiet", "-b", "ideas/ünder")
  expect(await checkedOutBranch({ env }, { git: true, worktree })).toBe("ideas/ünder")
  await git("checkout", "--quiet", "--detach")
  expect(await checkedOutBranch({ env }, { git: true, worktree })).toBeNull()
})

test("there is no branch without a repository or without its directory", async () => {
  const { worktree } = await place()
  expect(await checkedOutBranch({ env }, { git: false, worktree })).toBeNull()
  expect(await checkedOutBranch({ env }, { git: true, worktree: join(worktree, "gone") })).toBeNull()
})
