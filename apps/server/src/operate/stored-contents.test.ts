import { createHash } from "node:crypto"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { blobPath, createFileBlobs, storeContent } from "@docket/core/blobs"
import { openPostgresDatabase } from "@docket/db"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, expect, it } from "vitest"
import { backUp } from "./back-up.ts"
import { restore } from "./restore.ts"
import { storeContents } from "./stored-contents.ts"
import { filledData, newDirectory, removeDirectories } from "./test/filled-data.ts"
import { toNodes } from "./to-nodes.ts"

afterAll(removeDirectories)
const postgres = await startPostgres()
const quiet = () => undefined

if (typeof postgres === "string") {
  console.warn(`The tests of stored contents are skipped: ${postgres}`)
  it.skip(`stored contents (${postgres})`, () => {})
} else {
  afterAll(postgres.stop)
  const { url } = postgres
  const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")

  it("to-nodes stores files of sessions once, and backups bring them back", async () => {
    const data = await filledData()
    const blobs = createFileBlobs(path.join(await newDirectory(), "store"))
    await toNodes({ url, data, storage: null, blobs }, quiet)
    const opened = await openPostgresDatabase({ url })
    const store = opened.store("local")
    const session = (await store.session.listRoots({ archived: false, limit: 1 })).items[0]?.session
    if (session === undefined) throw new Error("there is no session")
    const own = { sessionID: session.id, rootID: session.rootID }
    const directory = path.join(data, "tool-output", session.id)
    await mkdir(directory, { recursive: true })
    await writeFile(path.join(directory, "tool_prt_1.txt"), "of this host")
    const before = await storeContents(opened, { data, blobs }, quiet)
    expect(await storeContents(opened, { data, blobs }, quiet)).toBe(before)
    const rows = await store.content.list({ kind: "output" })
    expect(rows).toMatchObject([{ name: "tool_prt_1.txt", hash: hashOf("of this host"), isStored: true }])

    // Two outputs of another host, of which one is damaged in the store.
    const deps = { blobs, tenant: "local", store: store.content, clock: Date.now }
    for (const [name, text] of [
      ["tool_prt_2.txt", "of another host"],
      ["tool_prt_3.txt", "damaged"],
    ] as const) {
      const file = path.join(await newDirectory(), name)
      await writeFile(file, text)
      await storeContent(deps, { kind: "output", name, ...own, file })
    }
    const damaged = blobPath({ tenant: "local", hash: hashOf("damaged") })
    await writeFile(path.join(blobs.address, damaged), "demaged")
    await opened.close()

    const file = path.join(await newDirectory(), "all.docket")
    const made = await backUp({ file, data, database: url, withKeys: true, blobs }, quiet)
    const third = `tool-output/${session.id}/tool_prt_3.txt`
    expect(made.facts.leftOut).toMatchObject({ [third]: "it is damaged in the store of contents" })
    const restored = path.join(await newDirectory(), "restored")
    await restore(
      { file, data: restored, database: null, withKeys: true, replace: false, toFile: true } as never,
      quiet,
    )
    const read = (name: string) => readFile(path.join(restored, "tool-output", session.id, name), "utf8")
    expect([await read("tool_prt_1.txt"), await read("tool_prt_2.txt")]).toEqual(["of this host", "of another host"])
    await expect(read("tool_prt_3.txt")).rejects.toThrow("ENOENT")
    await rm(directory, { recursive: true })
  })
}
