import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { anywhere } from "../../ground/file/directory-limits.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { createProjects } from "./projects.ts"

test("a new directory that two callers open at once is one project", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-projects-")))
  try {
    const projects = createProjects({
      store: createInMemoryStore().project,
      createID: createIdSource(),
      clock: Date.now,
      env: process.env,
      home: "/",
      limits: () => anywhere,
    })
    const [one, two] = await Promise.all([projects.open(directory), projects.open(directory)])
    expect(two.id).toBe(one.id)
    expect(await projects.list()).toHaveLength(1)
    await expect(projects.open(join(directory, "missing"))).rejects.toMatchObject({ code: "project_directory_missing" })
    expect((await projects.open(directory)).id).toBe(one.id)
  } finally {
    await rm(directory, { recursive: true })
  }
})
