import { readFile } from "node:fs/promises"
import path from "node:path"
import type { MessageWithParts, Session } from "@docket/core/schema"
import { pdfOf, pngOf } from "@docket/core/test/pictures"
import { openSqliteDatabase } from "@docket/db"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { backUp } from "./operate/back-up.ts"
import { restore } from "./operate/restore.ts"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"

const picture = pngOf(40, 30)
const pdf = pdfOf(3)
const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><!--${"x".repeat(60_000)}--><script/></svg>`)
const page = Buffer.from(`<p>${"x".repeat(60_000)}<script></script>`)

let service: OpenedService
let token: string
let session: Session
let messages: MessageWithParts[]
beforeAll(async () => {
  service = await startOpenedService({ permission: "allow" })
  token = (await readFile(service.tokenFile, "utf8")).trim()
  const [project] = await service.local.project.list()
  session = await service.local.session.create({ projectID: project?.id ?? "" })
  await prompted({
    sessionID: session.id,
    parts: [
      { type: "text", text: "Look" },
      ...[
        { bytes: picture, mime: "image/png", filename: 'ein "Bild" ü.png' },
        { bytes: pdf, mime: "application/pdf", filename: "paper.pdf" },
        { bytes: svg, mime: "image/svg+xml", filename: "icon.svg" },
        { bytes: page, mime: "text/html", filename: `${"😀".repeat(101)}ab.html` },
      ].map(({ bytes, mime, filename }) => {
        const url = `data:${mime};base64,${bytes.toString("base64")}`
        return { type: "file" as const, mime, url, filename }
      }),
    ],
  })
  messages = (await service.local.session.messages({ sessionID: session.id })).items
})
afterAll(() => service.remove())

/** Prompts and waits for the end of the turn, which no model answers. */
async function prompted(input: Parameters<OpenedService["local"]["session"]["promptAsync"]>[0]): Promise<void> {
  const { id } = await service.local.session.promptAsync(input)
  await service.local.session.wait({ turnID: id })
}

/** The file part with this type. */
function partOf(mime: string) {
  const part = messages.flatMap(({ parts }) => parts).find((one) => one.type === "file" && one.mime === mime)
  if (part?.type !== "file") throw new Error(`no ${mime}`)
  return { id: part.id, hash: part.url.replace("attachment:", "") }
}

async function get(path: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) {
  const answer = await fetch(service.url + path, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

it("a picture is sent to be drawn, unsniffed, and kept by browsers", async () => {
  const address = `/api/attachment/${session.id}/${partOf("image/png").hash}`
  const { status, headers, bytes } = await get(address)
  expect([status, bytes.equals(picture)]).toEqual([200, true])
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": `inline; filename="ein _Bild_ _.png"; filename*=UTF-8''ein%20%22Bild%22%20%C3%BC.png`,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, max-age=31536000, immutable",
  })
  const again = await get(address, { authorization: `Bearer ${token}`, "if-none-match": headers.get("etag") ?? "" })
  expect([again.status, again.bytes.length]).toEqual([304, 0])
})

it.each([
  ["application/pdf", "application/pdf", 'attachment; filename="paper.pdf"'],
  ["image/svg+xml", "application/octet-stream", 'attachment; filename="icon.svg"'],
  // Its name is cut in the middle of a character.
  ["text/html", "application/octet-stream", "ab.html"],
])("%s is saved, never opened", async (mime, type, disposition) => {
  const { status, headers } = await get(`/api/attachment/${session.id}/${partOf(mime).hash}`)
  expect([status, headers.get("content-type")]).toEqual([200, type])
  expect(headers.get("content-disposition")).toContain(disposition)
})

it("only readers of a tree get its files", async () => {
  const { hash } = partOf("image/png")
  const [project] = await service.local.project.list()
  const other = await service.local.session.create({ projectID: project?.id ?? "" })
  const statuses = await Promise.all([
    get(`/api/attachment/${session.id}/${hash}`, {}),
    get(`/api/attachment/${other.id}/${hash}`),
    get(`/api/attachment/${session.id}/${"0".repeat(64)}`),
    get(`/api/attachment/${session.id}/..%2f..%2fauth.json`),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([401, 404, 404, 400])
})

it("a link sends pictures only where its maker included them", async () => {
  const shows = { outputs: true, reasoning: true, files: true }
  const create = (pictures: boolean) =>
    service.local.share
      .create({ rootID: session.id, shows: { ...shows, pictures } })
      .then(({ id, url }) => ({ id, secret: url.split("/").at(-1) ?? "" }))
  const [without, including] = [await create(false), await create(true)]
  const { id, hash } = partOf("image/png")
  const address = (secret: string, part = id, content = hash) => `/api/share/${secret}/file/${part}/${content}`
  const shown = await get(address(including.secret), {})
  expect([shown.status, shown.bytes.equals(picture)]).toEqual([200, true])
  expect(shown.headers.get("cache-control")).toBe("private, no-cache")
  const refused = await Promise.all([
    get(address(without.secret), {}),
    // Texts and SVG are in no link, and a part shows its own file alone.
    get(address(including.secret, partOf("image/svg+xml").id, partOf("image/svg+xml").hash), {}),
    get(address(including.secret, partOf("application/pdf").id), {}),
  ])
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404])
  await service.local.share.update({ shareID: including.id, shows: { ...shows, pictures: false } })
  expect((await get(address(including.secret), {})).status).toBe(404)
})

it("a backup holds the files and the rows that name them", async () => {
  const file = path.join(service.directory, "kept.backup")
  const data = path.join(service.directory, "restored")
  const report = () => undefined
  await backUp({ file, data: path.join(service.directory, ".data"), database: null, withKeys: false }, report)
  await restore({ file, data, database: null, replace: false, toFile: false }, report)
  const { hash } = partOf("image/png")
  expect((await readFile(path.join(data, "attachments", hash.slice(0, 2), hash))).equals(picture)).toBe(true)
  const database = await openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now })
  onTestFinished(() => database.close())
  expect(await database.store("local").attachment.find(session.id, hash)).toMatchObject({ size: picture.length })
})

it("a removed session takes its files along", async () => {
  const [project] = await service.local.project.list()
  const made = await service.local.session.create({ projectID: project?.id ?? "" })
  const own = pngOf(7, 7)
  const url = `data:image/png;base64,${own.toString("base64")}`
  const parts = [
    { type: "text" as const, text: "Look" },
    { type: "file" as const, mime: "image/png", url },
  ]
  await prompted({ sessionID: made.id, parts })
  const { items } = await service.local.session.messages({ sessionID: made.id })
  const file = items[0]?.parts.find(({ type }) => type === "file")
  if (file?.type !== "file") throw new Error("no file")
  const hash = file.url.replace("attachment:", "")
  const place = path.join(service.directory, ".data/attachments", hash.slice(0, 2), hash)
  expect((await readFile(place)).equals(own)).toBe(true)
  await service.local.session.remove({ sessionID: made.id })
  await expect(readFile(place)).rejects.toMatchObject({ code: "ENOENT" })
})
