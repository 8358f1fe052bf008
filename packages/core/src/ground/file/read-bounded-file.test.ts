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

const textOrReason = (path: string) => readBoundedFile(path, 10).then(String, unreadableReason)

describe("readBoundedFile", () => {
  it("reads a regular or linked file up to its limit", async () => {
    await writeFile(join(root, "a"), "0123456789")
    await symlink("a", join(root, "link"))
    expect(await textOrReason(join(root, "a"))).toBe("0123456789")
    expect(await textOrReason(join(root, "link"))).toBe("0123456789")
    await writeFile(join(root, "a"), "0123456789x")
    expect(await textOrReason(join(root, "a"))).toBe("is larger than 10 bytes, the most that is read")
  })

  it("never waits for a pipe, and reads no device, directory or socket", async () => {
    execFileSync("mkfifo", [join(root, "pipe")])
    await symlink("/dev/zero", join(root, "zero"))
    await symlink("pipe", join(root, "to-pipe"))
    const server = createServer().listen(join(root, "socket"))
    await new Promise((resolve) => server.once("listening", resolve))
    expect(await textOrReason(join(root, "pipe"))).toBe("is a pipe, not a regular file")
    expect(await textOrReason(join(root, "to-pipe"))).toBe("is a pipe, not a regular file")
    expect(await textOrReason(join(root, "zero"))).toBe("is a device, not a regular file")
    expect(await textOrReason(root)).toBe("is a directory, not a regular file")
    expect(await textOrReason(join(root, "socket"))).toBe("is a socket or a device, not a regular file")
    await expect(readBoundedFile(root, 10)).rejects.toBeInstanceOf(UnfitFileError)
    await new Promise((resolve) => server.close(resolve))
  })

  it("limits by bytes read, not by reported size, as in /proc", async () => {
    expect(await textOrReason("/proc/self/status")).toContain("larger than 10 bytes")
  })

  it("says that a missing file does not exist", async () => {
    expect(await textOrReason(join(root, "none"))).toBe("does not exist")
  })
})
