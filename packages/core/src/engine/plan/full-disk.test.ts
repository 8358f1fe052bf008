import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { textDigest } from "../../setup/config/digest.ts"
import { smallDisk } from "../../test/full-disk.ts"
import { writeAgentText } from "../agent-file/write-agent-file.ts"
import { readPlan, writePlan } from "./plan-document.ts"

const disk = smallDisk()
if (disk === null) console.warn("Files on a full disk are not tried: no disk can be mounted here")
disk?.[Symbol.dispose]()

const long = "x".repeat(20_000)

test.skipIf(disk === null)("a full disk is reported for plan and agent; files survive", async () => {
  using small = smallDisk()
  if (small === null) throw new Error("no disk can be mounted any more")
  const { directory } = small
  const place = { worktree: directory, planRoot: join(directory, ".data") }
  const plan = ".docket/plans/2026-01-01-000000-a-b.md"
  const agent = join(directory, ".docket/agents/a.md")
  for (const file of [join(directory, plan), agent]) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, "Before.")
  }
  const version = (await readPlan(place, plan))?.version ?? ""
  const writes = [
    () => writePlan(place, plan, { text: long, version }),
    () => writeAgentText(agent, textDigest("Before."), long),
  ]
  small.fill()
  for (const write of writes) {
    await expect(write()).rejects.toMatchObject({
      code: "file_not_written",
      message: expect.stringContaining("the disk is full; make room and save again. The file is as it was."),
    })
  }
  expect([await readFile(join(directory, plan), "utf8"), await readFile(agent, "utf8")]).toEqual(["Before.", "Before."])
  // No half-written file is left either.
  expect((await readdir(directory)).toSorted()).toEqual([".docket", "filler"])
  expect(await readdir(dirname(agent))).toEqual(["a.md"])
  small.free()
  for (const write of writes) await write()
  expect((await readPlan(place, plan))?.text).toBe(long)
})
