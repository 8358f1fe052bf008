import { mkdir, mkdtemp, readdir, realpath, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { createInMemoryStore } from "../ground/store/index.ts"
import { answer, scriptedRuntime } from "../test/scripted-runtime.ts"

it.each([
  [0, [], "removes a worktree that no task has"],
  [1, ["task-abc"], "leaves every worktree, because an unreadable task may own it"],
])("with %i unreadable tasks a start leaves %j: it %s", async (unread, left) => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-start-")))
  const worktrees = join(directory, ".data/worktrees")
  await mkdir(join(worktrees, "task-abc"), { recursive: true })
  await writeFile(join(worktrees, "task-abc/work.txt"), "unmerged")
  const store = createInMemoryStore()
  const task = { ...store.task, withWorktree: async () => ({ tasks: [], unread }) }
  await using _host = await scriptedRuntime(() => answer("Done."), { directory, store: { ...store, task } })
  expect(await readdir(worktrees)).toEqual(left)
})
