import { createHash, randomBytes } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type BlobKey, type Blobs, DamagedBlob } from "../ground/blob/blobs.ts"
import { wholeOf } from "../ground/blob/read-blob.ts"

interface OpenedBlobs {
  blobs: Blobs
  /** Replaces what the store holds for a content, as a broken disk would. */
  damage(key: BlobKey, bytes: Uint8Array): Promise<void>
  /** Bytes from which on a content is stored in several pieces. */
  large: number
}

/** @param open opens an empty store */
export function blobsContract(open: () => Promise<OpenedBlobs>): void {
  const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
  const keyOf = (bytes: Uint8Array, tenant = "local"): BlobKey => ({ tenant, hash: hashOf(bytes) })
  const text = (content: string) => Buffer.from(content)
  const put = async (blobs: Blobs, bytes: Uint8Array, tenant?: string) => {
    await blobs.put(keyOf(bytes, tenant), { bytes })
    return keyOf(bytes, tenant)
  }
  const read = async (blobs: Blobs, key: BlobKey) => {
    const pieces = await blobs.get(key)
    return pieces === null ? null : wholeOf(pieces)
  }
  const hashesOf = async (blobs: Blobs, tenant: string) => {
    const all: string[] = []
    for await (const { hash, isAside } of blobs.list(tenant)) all.push(`${hash}${isAside ? " aside" : ""}`)
    return all.sort()
  }

  it("a content is read back, of any size", async () => {
    const { blobs, large } = await open()
    for (const bytes of [text(""), text("x"), randomBytes(large), randomBytes(large + 1), randomBytes(large * 2 + 7)]) {
      const key = await put(blobs, bytes)
      expect((await read(blobs, key))?.equals(bytes)).toBe(true)
      expect(await blobs.head(key)).toMatchObject({ size: bytes.length })
    }
  })

  it("a content is stored from a file, and once", async () => {
    const { blobs, large } = await open()
    const directory = await mkdtemp(join(tmpdir(), "docket-blob-"))
    const bytes = randomBytes(large + 5)
    const file = join(directory, "content")
    await writeFile(file, bytes)
    const key = keyOf(bytes)
    await Promise.all([1, 2, 3].map(() => blobs.put(key, { file })))
    await rm(directory, { recursive: true })
    expect((await read(blobs, key))?.equals(bytes)).toBe(true)
    expect(await hashesOf(blobs, "local")).toEqual([key.hash])
  })

  it("any range of a content is read", async () => {
    const { blobs } = await open()
    const bytes = randomBytes(1_000)
    const key = await put(blobs, bytes)
    const bound = fc.nat(1_100)
    await fc.assert(
      fc.asyncProperty(
        bound.filter((start) => start < bytes.length),
        fc.option(bound, { nil: undefined }),
        async (start, end) => {
          const pieces = await blobs.get(key, { range: { start, ...(end !== undefined && { end }) } })
          expect(pieces === null ? null : await wholeOf(pieces)).toEqual(
            bytes.subarray(start, end === undefined ? undefined : Math.max(start, end)),
          )
        },
      ),
      drawn(20),
    )
  })

  it("nothing is stored of a source with another hash", async () => {
    const { blobs, large } = await open()
    for (const wanted of [text("one"), randomBytes(large * 2)]) {
      const other = Buffer.from(wanted)
      other.writeUInt8(other.readUInt8(0) ^ 1, 0)
      await expect(blobs.put(keyOf(wanted), { bytes: other })).rejects.toThrow(DamagedBlob)
      expect(await blobs.head(keyOf(wanted))).toBeNull()
    }
    expect(await hashesOf(blobs, "local")).toEqual([])
  })

  it("a damaged content is noticed when it is read", async () => {
    const { blobs, damage } = await open()
    const key = await put(blobs, text("hello"))
    await damage(key, text("hallo"))
    await expect(read(blobs, key)).rejects.toThrow(DamagedBlob)
    await damage(key, text("hell"))
    await expect(read(blobs, key)).rejects.toThrow(DamagedBlob)
    // Whoever has it stores it again.
    await put(blobs, text("hello"))
    expect(await read(blobs, key)).toEqual(text("hello"))
  })

  it("what is not there is not found", async () => {
    const { blobs } = await open()
    const key = keyOf(text("none"))
    expect(await blobs.get(key)).toBeNull()
    expect(await blobs.get(key, { range: { start: 2, end: 5 } })).toBeNull()
    expect(await blobs.head(key)).toBeNull()
    await blobs.remove(key, async () => false)
    expect(await hashesOf(blobs, "local")).toEqual([])
  })

  it("tenants see only what is theirs", async () => {
    const { blobs } = await open()
    const bytes = text("shared")
    const [one, two] = [await put(blobs, bytes, "one"), await put(blobs, bytes, "two")]
    await put(blobs, text("more"), "one")
    expect(await hashesOf(blobs, "two")).toEqual([two.hash])
    await blobs.removeTenant("one")
    expect([await read(blobs, one), await read(blobs, two)]).toEqual([null, bytes])
    expect(await hashesOf(blobs, "one")).toEqual([])
  })

  it("no name leads out of the place of a tenant", async () => {
    const { blobs } = await open()
    const { hash } = keyOf(text("x"))
    for (const key of [
      { tenant: "../one", hash },
      { tenant: "", hash },
      { tenant: "one", hash: "../../x" },
    ]) {
      await expect(blobs.head(key)).rejects.toThrow()
      await expect(blobs.put(key, { bytes: text("x") })).rejects.toThrow()
    }
  })

  it("a removed content comes back when it is needed after all", async () => {
    const { blobs } = await open()
    const [kept, gone, unknown] = await Promise.all(["kept", "gone", "unknown"].map((word) => put(blobs, text(word))))
    if (!kept || !gone || !unknown) throw new Error("not stored")
    await blobs.remove(kept, async () => {
      // Whoever reads it meanwhile still gets it.
      expect(await read(blobs, kept)).toEqual(text("kept"))
      return true
    })
    await blobs.remove(gone, async () => false)
    await blobs.remove(unknown, () => Promise.reject(new Error("no answer")))
    expect(await hashesOf(blobs, "local")).toEqual([kept.hash, unknown.hash].sort())
    expect(await read(blobs, kept)).toEqual(text("kept"))
  })

  it("a content that is stored during its removal stays", async () => {
    const { blobs } = await open()
    const key = await put(blobs, text("again"))
    await blobs.remove(key, async () => {
      await put(blobs, text("again"))
      return true
    })
    expect(await read(blobs, key)).toEqual(text("again"))
    expect(await hashesOf(blobs, "local")).toEqual([key.hash])
  })

  it("a removal that was cut off is ended by the next one", async () => {
    const { blobs } = await open()
    const key = await put(blobs, text("half"))
    const asked = Promise.withResolvers<void>()
    // The process ends here: nothing after it runs.
    void blobs.remove(key, () => {
      asked.resolve()
      return new Promise(() => {})
    })
    await asked.promise
    expect(await hashesOf(blobs, "local")).toEqual([`${key.hash} aside`])
    expect(await read(blobs, key)).toEqual(text("half"))
    await blobs.remove(key, async () => true)
    expect(await hashesOf(blobs, "local")).toEqual([key.hash])
  })
}
