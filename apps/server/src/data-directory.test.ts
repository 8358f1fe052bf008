import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it } from "vitest"
import { prepareDataDirectory } from "./data-directory.ts"

it("the data directory is created recursively, owner-only, and may already exist", () => {
  const root = mkdtempSync(path.join(tmpdir(), "docket-data-"))
  const directory = path.join(root, "a", "b", "c")
  for (let time = 0; time < 2; time++) {
    prepareDataDirectory(directory)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  }
  writeFileSync(path.join(root, "file"), "")
  for (const wrong of [path.join(root, "file"), path.join(root, "file", "below")]) {
    expect(() => prepareDataDirectory(wrong)).toThrow(expect.objectContaining({ code: "store_unavailable" }))
  }
  rmSync(root, { recursive: true })
})

it.skipIf(process.platform !== "linux")("a data directory that cannot be created is refused at once", () => {
  expect(() => prepareDataDirectory("/proc/docket/data")).toThrow("cannot use /proc/docket/data as data directory")
})
