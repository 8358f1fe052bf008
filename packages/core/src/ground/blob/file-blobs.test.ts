import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { blobsContract } from "../../contract/blobs-contract.ts"
import { smallDisk } from "../../test/full-disk.ts"
import { blobPath } from "./blobs.ts"
import { createFileBlobs } from "./file-blobs.ts"

async function opened() {
  const root = await mkdtemp(join(tmpdir(), "docket-blobs-"))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return { root, blobs: createFileBlobs(root) }
}

const keyOf = (bytes: Uint8Array) => ({ tenant: "local", hash: createHash("sha256").update(bytes).digest("hex") })

describe("contents as files", () => {
  blobsContract(async () => {
    const { root, blobs } = await opened()
    return { blobs, large: 200_000, damage: (key, bytes) => writeFile(join(root, blobPath(key)), bytes) }
  })
})

test("what a broken write left is never a content, and goes", async () => {
  const { root, blobs } = await opened()
  const bytes = Buffer.from("whole")
  const key = keyOf(bytes)
  const partial = join(root, `${blobPath(key)}.1.new`)
  await mkdir(join(partial, ".."), { recursive: true })
  await writeFile(partial, "who")
  expect(await blobs.head(key)).toBeNull()
  await utimes(partial, 0, 0)
  expect(await allOf(blobs.list("local"))).toEqual([])
  expect(await readdir(join(partial, ".."))).toEqual([])
})

test.runIf(process.getuid?.() === 0)("a full disk is said, and takes nothing", async () => {
  using disk = smallDisk()
  if (disk === null) return
  const blobs = createFileBlobs(disk.directory)
  const bytes = Buffer.alloc(50_000, "x")
  disk.fill()
  await expect(blobs.put(keyOf(bytes), { bytes })).rejects.toMatchObject({
    code: "blobs_unavailable",
    message: expect.stringContaining("is full: make room"),
  })
  disk.free()
  expect(await blobs.head(keyOf(bytes))).toBeNull()
  await blobs.put(keyOf(bytes), { bytes })
  expect(await blobs.head(keyOf(bytes))).toMatchObject({ size: 50_000 })
})

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
