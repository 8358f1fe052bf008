import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, test } from "vitest"
import { findRipgrep } from "../../acts/tool/ripgrep.ts"
import { createProjectFiles } from "./project-files.ts"

test("a missing directory is named, and another can still be searched", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "docket-files-"))
  try {
    const files = createProjectFiles({ ripgrep: findRipgrep(), clock: Date.now })
    const missing = path.join(home, "moved")
    await expect(files.search(missing, "a", 5)).rejects.toMatchObject({
      code: "project_directory_missing",
      message: expect.stringContaining(missing),
    })
    await writeFile(path.join(home, "main.ts"), "")
    expect(await files.search(home, "main", 5)).toEqual(["main.ts"])
  } finally {
    await rm(home, { recursive: true })
  }
})
