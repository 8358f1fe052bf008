import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { putSessions, root } from "../../contract/rows.ts"
import { toDataUrl } from "../../ground/media/data-url.ts"
import { attachedHash, type Session } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../../ground/store/index.ts"
import { pngOf } from "../../test/pictures.ts"
import { createContentFiles } from "./content-files.ts"
import { type Attachments, createAttachments } from "./create-attachments.ts"
import { createImportMarks } from "./import-marks.ts"

interface Opened {
  store: Store
  directory: string
  attachments: Attachments
  errors: unknown[]
  session(): Promise<Session>
  remove(session: Session): Promise<void>
  /** The names of all contents in the directory. */
  contents(): Promise<string[]>
  /** Another process on the same store and directory. */
  again(more?: { limit?: number; clock?: () => number }): Attachments
}

async function opened(limit?: number): Promise<Opened> {
  const directory = await mkdtemp(join(tmpdir(), "docket-attachments-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const store = createInMemoryStore()
  const errors: unknown[] = []
  let count = 0
  const again: Opened["again"] = (more = {}) =>
    createAttachments({
      store,
      files: createContentFiles(directory, () => String(++count)),
      marks: createImportMarks(join(directory, "imports")),
      clock: Date.now,
      onError: (error) => errors.push(error),
      ...more,
    })
  const attachments = again(limit === undefined ? {} : { limit })
  return {
    ...{ store, directory, attachments, errors, again },
    session: () => putSessions(store, root()),
    remove: (session) =>
      attachments.removing([session.id], async () => {
        const mutations = [{ kind: "session.remove", sessionID: session.id } as const]
        await store.write.commit([{ rootID: session.id, mutations }])
      }),
    async contents() {
      const names = await readdir(directory, { recursive: true })
      return names.filter((name) => /^[0-9a-f]{2}\/./.test(name)).map((name) => name.slice(3))
    },
  }
}

const blue = pngOf(20, 10)
const red = pngOf(20, 10, { colour: [200, 0, 0] })
const file = (bytes: Buffer, mime = "image/png") => ({ mime, url: toDataUrl(mime, bytes), filename: "a.png" })
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")

test("a picture becomes a row and a file named by its content", async () => {
  const { attachments, session, contents, store } = await opened()
  const of = await session()
  const kept = await attachments.keep(of, file(blue, "image/jpeg"))
  expect(kept).toEqual({
    ...{ mime: "image/png", url: `attachment:${hashOf(blue)}`, filename: "a.png" },
    ...{ size: blue.length, width: 20, height: 10 },
  })
  expect(await contents()).toEqual([hashOf(blue)])
  expect((await attachments.read(of.id, hashOf(blue)))?.bytes).toEqual(blue)
  const [row] = await store.attachment.list()
  expect(row).toMatchObject({ sessionID: of.id, hash: hashOf(blue), size: blue.length, name: "a.png" })
  expect(JSON.stringify(row).length).toBeLessThan(1_000)
})

test("short texts and addresses stay as they are, long texts are kept", async () => {
  const { attachments, session } = await opened()
  const of = await session()
  for (const url of ["data:text/plain,short", "file:///a.png", "https://example.org/a.png", "data:image/png;base64,"])
    expect(await attachments.keep(of, { mime: "text/plain", url })).toEqual({ mime: "text/plain", url })
  const long = Buffer.from("word ".repeat(20_000))
  const kept = await attachments.keep(of, file(long, "text/plain"))
  expect(attachedHash(kept.url)).toBe(hashOf(long))
})

test("a content that could not be written takes no room", async () => {
  const { attachments, session, directory, contents } = await opened(Math.max(blue.length, red.length))
  const of = await session()
  // Where its directory belongs is a file.
  await writeFile(join(directory, hashOf(blue).slice(0, 2)), "")
  await expect(attachments.keep(of, file(blue))).rejects.toMatchObject({ code: "ENOTDIR" })
  await attachments.keep(of, file(red))
  expect(await contents()).toEqual([hashOf(red)])
})

test("a short text by another name becomes a text in its row", async () => {
  const { attachments, session, contents } = await opened()
  const kept = await attachments.keep(await session(), file(Buffer.from("const a = 1\n"), "video/mp2t"))
  expect(kept).toMatchObject({ mime: "text/plain", url: expect.stringMatching(/^data:/) })
  expect(await contents()).toEqual([])
})

test("one content is one file, and goes with its last session", async () => {
  const { attachments, session, remove, contents } = await opened()
  const [first, second] = [await session(), await session()]
  await attachments.keep(first, file(blue))
  await attachments.keep(first, file(blue))
  await attachments.keep(second, file(blue))
  expect(await contents()).toEqual([hashOf(blue)])
  await remove(first)
  expect(await attachments.read(first.id, hashOf(blue))).toBeNull()
  expect((await attachments.read(second.id, hashOf(blue)))?.bytes).toEqual(blue)
  await remove(second)
  expect(await contents()).toEqual([])
})

test("a damaged file of the right size is written again", async () => {
  const { attachments, session, directory } = await opened()
  const of = await session()
  await attachments.keep(of, file(blue))
  const path = join(directory, hashOf(blue).slice(0, 2), hashOf(blue))
  await writeFile(path, Buffer.alloc(blue.length))
  expect(await attachments.read(of.id, hashOf(blue))).toBeNull()
  await attachments.keep(of, file(blue))
  expect(await readFile(path)).toEqual(blue)
})

test("a full workspace takes what it has, and nothing more", async () => {
  const { attachments, session, remove } = await opened(blue.length + 10)
  const [first, second] = [await session(), await session()]
  await attachments.keep(first, file(blue))
  await expect(attachments.keep(second, file(red))).rejects.toMatchObject({ code: "attachments_full" })
  expect(await attachments.keep(second, file(blue))).toMatchObject({ url: `attachment:${hashOf(blue)}` })
  await remove(first)
  await expect(attachments.keep(second, file(red))).rejects.toMatchObject({ code: "attachments_full" })
  await remove(second)
  expect(await attachments.keep(await session(), file(red))).toMatchObject({ url: `attachment:${hashOf(red)}` })
})

test("a tree does not get another tree's content by its hash", async () => {
  const { attachments, session } = await opened()
  const [first, second] = [await session(), await session()]
  const kept = await attachments.keep(first, file(blue))
  await expect(attachments.keep(second, kept)).rejects.toThrow("is not kept in this session")
  expect(await attachments.read(second.id, hashOf(blue))).toBeNull()
  const forged = { ...kept, size: 1, width: 1 }
  expect(await attachments.keep(first, forged)).toEqual(kept)
})

test("a new row for a content that is being removed loses nothing", async () => {
  const { attachments, session, again, store } = await opened()
  const other = again()
  for (let round = 0; round < 20; round++) {
    const [first, second] = [await session(), await session()]
    await attachments.keep(first, file(blue))
    // Another process on the same directory removes it meanwhile.
    const removal = other.removing([first.id], async () => {
      await store.write.commit([{ rootID: first.id, mutations: [{ kind: "session.remove", sessionID: first.id }] }])
    })
    await Promise.all([removal, attachments.keep(second, file(blue))])
    expect((await attachments.read(second.id, hashOf(blue)))?.bytes).toEqual(blue)
  }
})

test("a start gives a killed import the rows of its contents", async () => {
  const { attachments, session, again, contents, store, errors } = await opened()
  const of = await session()
  const media = { mime: "image/png", facts: { size: blue.length, width: 20, height: 10 } }
  const content = { sessionIDs: [of.id], bytes: blue, name: "a.png", media }
  const killed = Promise.withResolvers<void>()
  // The process ends inside `commit`: nothing after it runs.
  void attachments.importing(of.id, [content], async () => {
    killed.resolve()
    await new Promise(() => {})
  })
  await killed.promise
  expect(await store.attachment.list()).toEqual([])
  const next = again({ clock: () => Date.now() + 24 * 60 * 60_000 })
  next.start()
  await next.stop()
  expect((await next.read(of.id, hashOf(blue)))?.bytes).toEqual(blue)
  expect(await contents()).toEqual([hashOf(blue)])
  expect(errors).toEqual([])
})

test("an import that failed leaves no content", async () => {
  const { attachments, session, contents } = await opened()
  const of = await session()
  const content = { sessionIDs: [of.id], bytes: blue, name: "", media: { mime: "image/png", facts: {} } }
  const failing = attachments.importing(of.id, [content], () => Promise.reject(new Error("no")))
  await expect(failing).rejects.toThrow("no")
  expect(await contents()).toEqual([])
})

test("a start removes old contents without a session, and broken writes", async () => {
  const { attachments, session, directory, again, contents } = await opened()
  await attachments.keep(await session(), file(blue))
  const orphan = hashOf(red)
  const old = new Date(Date.now() - 2 * 60 * 60_000)
  await mkdir(join(directory, orphan.slice(0, 2)), { recursive: true })
  const aside = `${join(directory, hashOf(blue).slice(0, 2), hashOf(blue))}.9.new`
  const partial = `${join(directory, orphan.slice(0, 2), orphan)}.9.new`
  const paths = [join(directory, orphan.slice(0, 2), orphan), partial, aside]
  for (const path of paths) {
    await writeFile(path, path === aside ? blue : red)
    await utimes(path, old, old)
  }
  const next = again()
  next.start()
  await next.stop()
  expect(await contents()).toEqual([hashOf(blue)])
})

test("a content that a crash left aside comes back", async () => {
  const { attachments, session, directory, again } = await opened()
  const of = await session()
  await attachments.keep(of, file(blue))
  const path = join(directory, hashOf(blue).slice(0, 2), hashOf(blue))
  await writeFile(`${path}.9.new`, blue)
  await rm(path)
  const next = again({ clock: () => Date.now() + 24 * 60 * 60_000 })
  next.start()
  await next.stop()
  expect((await next.read(of.id, hashOf(blue)))?.bytes).toEqual(blue)
})
