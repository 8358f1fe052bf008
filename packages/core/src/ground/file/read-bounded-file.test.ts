import { execFileSync } from "node:child_process"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readBoundedFile, UnfitFileError, unreadableReason } from "./read-bounded-file.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-file-"))
})
afterEach(() => rm(root, { recursive: true }))

const reasonFor = (path: string) => readBoundedFile(path, 10).then(String, unreadableReason)

describe("readBoundedFile", () => {
  it("reads a regular or linked file up to its limit", async () => {
    await writeFile(join(root, "a"), "0123456789")
    await symlink("a", join(root, "link"))
    expect(await reasonFor(join(root, "a"))).toBe("0123456789")
    expect(await reasonFor(join(root, "link"))).toBe("0123456789")
    await writeFile(join(root, "a"), "0123456789x")
    expect(await reasonFor(join(root, "a"))).toBe("is larger than 10 bytes, the most that is read")
  })

  it("never waits for a pipe, and reads no device, directory or socket", async () => {
    execFileSync("mkfifo", [join(root, "pipe")])
    await symlink("/dev/zero", join(root, "zero"))
    await symlink("pipe", join(root, "to-pipe"))
    const server = createServer().listen(join(root, "socket"))
    await new Promise((resolve) => server.once("listening", resolve))
    expect(await reasonFor(join(root, "pipe"))).toBe("is a pipe, not a regular file")
    expect(await reasonFor(join(root, "to-pipe"))).toBe("is a pipe, not a regular file")
    expect(await reasonFor(join(root, "zero"))).toBe("is a device, not a regular file")
    expect(await reasonFor(root)).toBe("is a directory, not a regular file")
    expect(await reasonFor(join(root, "socket"))).toBe("is a socket or a device, not a regular file")
    await expect(readBoundedFile(root, 10)).rejects.toBeInstanceOf(UnfitFileError)
    await new Promise((resolve) => server.close(resolve))
  })

  it("limits by bytes read, not by reported size, as in /proc", async () => {
    expect(await reasonFor("/proc/self/status")).toContain("larger than 10 bytes")
  })

  it("says by its code why the system does not open a file", async () => {
    expect(await reasonFor(join(root, "none"))).toBe("does not exist")
  })
})
