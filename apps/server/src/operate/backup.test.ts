import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"
import { zstdCompress, zstdDecompress } from "node:zlib"
import { openSqliteDatabase } from "@docket/db"
import { startPostgres } from "@docket/db/start-postgres"
import { extract, type Headers, pack } from "tar-stream"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { lockDataDirectory } from "../lock/data-lock.ts"
import { backUp, readTables } from "./back-up.ts"
import { findDataFiles } from "./data-files.ts"
import { restore } from "./restore.ts"
import { filesIn, filledData, newDirectory, removeDirectories, sumsOf } from "./test/filled-data.ts"
import { writeBackup } from "./write-backup.ts"

afterAll(removeDirectories)

const quiet = () => undefined
const defaults = { database: null, withKeys: false, replace: false, toFile: false }

async function emptyData(): Promise<string> {
  return path.join(await newDirectory(), "restored")
}

describe("a backup with keys", () => {
  it("is restored with the same rows, files and rights", async () => {
    const data = await filledData()
    const file = path.join(await newDirectory(), "all.docket")
    const before = await sumsOf(data)
    const made = await backUp({ ...defaults, file, data, withKeys: true }, quiet)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(made.facts).toMatchObject({ tables: before, leftOut: { worktrees: expect.any(String) } })
    const to = await emptyData()
    await restore({ ...defaults, file, data: to }, quiet)
    expect(await sumsOf(to)).toEqual(before)
    const { "worktrees/prj_1/task/file": _, "last-sign": __, ...files } = await filesIn(data)
    expect(Object.keys(files).length).toBeGreaterThan(8)
    expect(await filesIn(to)).toEqual(files)
    expect((await stat(to)).mode & 0o777).toBe(0o700)
    expect((await stat(path.join(to, "auth.json"))).mode & 0o777).toBe(0o600)
    expect((await stat(path.join(to, "snapshots/prj_1/refs/heads"))).isDirectory()).toBe(true)
    expect(await readdir(to)).not.toContain(".restoring")
  })

  it("is restored to a PostgreSQL database, and from there to a file", async ({ skip }) => {
    const server = await startPostgres()
    if (typeof server === "string") return skip(server)
    onTestFinished(server.stop)
    const data = await filledData()
    const directory = await newDirectory()
    const before = await sumsOf(data)
    const [first, second] = [path.join(directory, "1"), path.join(directory, "2")]
    await backUp({ ...defaults, file: first, data, withKeys: true }, quiet)
    const to = await emptyData()
    await restore({ ...defaults, file: first, data: to, database: server.url }, quiet)
    expect(await sumsOf(to, server.url)).toEqual(before)
    expect(existsSync(path.join(to, "docket.db"))).toBe(false)
    await backUp({ ...defaults, file: second, data: to, withKeys: true, database: server.url }, quiet)
    const back = await emptyData()
    await restore({ ...defaults, file: second, data: back }, quiet)
    expect(await sumsOf(back)).toEqual(before)
    expect(await filesIn(back)).toEqual(await filesIn(to))
  })
})

it("a backup without keys grants no access and lists what it omits", async () => {
  const data = await filledData()
  const file = path.join(await newDirectory(), "plain.docket")
  const { facts } = await backUp({ ...defaults, file, data }, quiet)
  expect(Object.keys(facts.leftOut as object).sort()).toEqual([
    "auth.json",
    "rows of AuthDeviceCode",
    "rows of AuthSession",
    "rows of AuthTwoFactor",
    "rows of AuthVerification",
    "team-secret",
    "team.json",
    "token",
    "tokens of AuthAccount",
    "workspaces/team-b/auth.json",
    "worktrees",
  ])
  const written = (await decompress(await readFile(file))).toString()
  for (const key of ["at-theirs", "rt-theirs", "it-theirs", "tf-secret", "tf-codes"]) expect(written).not.toContain(key)
  const to = await emptyData()
  await restore({ ...defaults, file, data: to }, quiet)
  const all = JSON.stringify(Object.values(await filesIn(to)).map((text) => Buffer.from(text, "base64").toString()))
  for (const secret of ["sk-ours", "sk-theirs", "the token", "the secret", "smtp"]) expect(all).not.toContain(secret)
  expect(JSON.parse(await readFile(path.join(to, "team.json"), "utf8"))).toEqual({
    url: "https://x.org",
    roots: ["/srv/x"],
  })
  const database = await openSqliteDatabase({ file: path.join(to, "docket.db"), clock: Date.now })
  onTestFinished(database.close)
  // A second factor without its secret would lock the user out.
  expect(await database.accounts?.client.authUser.findMany?.({ where: {} })).toMatchObject([
    { twoFactorEnabled: false },
  ])
  expect(await database.accounts?.client.authAccount.count?.({ where: {} })).toBe(1)
})

it("a backup without keys includes settings but no credentials", async () => {
  const data = await filledData()
  const settings = `{ "model": "lab/one", "provider": { "lab": { "options": {
    "apiKey": "sk-literal", "baseURL": "https://lab.example/v1", "headers": { "x-team": "hd-literal" } } } } } // sk-comment`
  const theirs = "workspaces/team-b/home/.config/docket/docket.json"
  const files = {
    ".config/docket/docket.jsonc": settings,
    ".config/docket/agents/poet.md": "# Poet",
    ".config/opencode/config.json": settings,
    "docket.json": settings,
    [theirs]: settings,
    ".config/opencode/opencode.json": `{ "provider": "sk-half`,
    ".config/gh/hosts.yml": "sk-gh",
    ".ssh/id_ed25519": "sk-ssh",
    ".git-credentials": "sk-git",
    "workspaces/team-b/home/.netrc": "sk-netrc",
    "servers/last": "https://sk-elsewhere",
    "team.json": `{ "url": "https://x.org", "roots": ["/srv"], "smtp": { "url": "smtp://sk-mail@c" } }`,
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(data, name)), { recursive: true })
    await writeFile(path.join(data, name), text)
  }
  const file = path.join(await newDirectory(), "plain.docket")
  const { facts } = await backUp({ ...defaults, file, data }, quiet)
  const literal = "without provider.lab.options.apiKey, provider.lab.options.headers.x-team, comments"
  expect(facts.leftOut).toMatchObject({
    ".config/docket/docket.jsonc": expect.stringContaining(literal),
    [theirs]: expect.stringContaining(literal),
    ".config/opencode/opencode.json": expect.stringContaining("cannot be read"),
    ".config/gh": expect.stringContaining("other programs may keep keys there"),
    "team.json": expect.stringContaining("without smtp"),
    ".ssh": expect.any(String),
    ".git-credentials": expect.any(String),
    servers: expect.any(String),
    "workspaces/team-b/home/.netrc": expect.any(String),
  })
  const to = await emptyData()
  await restore({ ...defaults, file, data: to }, quiet)
  const restored = await filesIn(to)
  const text = (name: string) => Buffer.from(restored[name] ?? "", "base64").toString()
  expect(Object.keys(restored).map(text).join("\n")).not.toMatch(/sk-|-literal/)
  for (const name of [".config/docket/docket.jsonc", ".config/opencode/config.json", "docket.json", theirs])
    expect(JSON.parse(text(name))).toEqual({
      model: "lab/one",
      provider: { lab: { options: { baseURL: "https://lab.example/v1", headers: {} } } },
    })
  expect(text(".config/docket/agents/poet.md")).toBe("# Poet")
  expect(JSON.parse(text("team.json"))).toEqual({ url: "https://x.org", roots: ["/srv"] })
  await backUp({ ...defaults, file: `${file}-all`, data, withKeys: true }, quiet)
  const all = await emptyData()
  await restore({ ...defaults, file: `${file}-all`, data: all }, quiet)
  expect(await filesIn(all)).toMatchObject(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString("base64")])),
  )
})

describe("restoring", () => {
  it("refuses a non-empty directory; replacing it keeps the old files", async () => {
    const data = await filledData()
    const file = path.join(await newDirectory(), "b")
    await backUp({ ...defaults, file, data, withKeys: true }, quiet)
    const other = await filledData()
    const [rows, files] = [await sumsOf(other), await filesIn(other)]
    await expect(restore({ ...defaults, file, data: other }, quiet)).rejects.toThrow("is not empty")
    expect([await sumsOf(other), await filesIn(other)]).toEqual([rows, files])
    const { facts } = await restore({ ...defaults, file, data: other, replace: true }, quiet)
    expect(await sumsOf(other)).toEqual(await sumsOf(data))
    const kept = path.join(other, String(facts.keptIn))
    expect([await sumsOf(kept), await filesIn(kept)]).toEqual([rows, files])
    // After a second restore, two sets of old files are kept aside. No backup includes them.
    await restore({ ...defaults, file, data: other, replace: true }, quiet)
    expect((await readdir(other)).filter((name) => name.startsWith("before-"))).toHaveLength(2)
    const { facts: again } = await backUp({ ...defaults, file: `${file}2`, data: other, withKeys: true }, quiet)
    expect(again.files).toBe(facts.files)
  })

  it("works in the home directory and leaves out what programs fetch again", async () => {
    const data = await filledData()
    const fetched = [
      ".npm/_npx/1/node",
      ".cache/x",
      ".local/share/pnpm/store/1",
      ".config/prisma-nodejs/client",
      ".config/nextjs-nodejs/c",
    ]
    const own = ".config/docket/docket.json"
    for (const name of [...fetched, own]) {
      await mkdir(path.dirname(path.join(data, name)), { recursive: true })
      await writeFile(path.join(data, name), "old")
    }
    const file = path.join(await newDirectory(), "b")
    const { facts } = await backUp({ ...defaults, file, data, withKeys: true }, quiet)
    expect(Object.keys(facts.leftOut as object)).toEqual(
      expect.arrayContaining([".cache", ".config/prisma-nodejs", ".local", ".npm"]),
    )
    const home = await emptyData()
    for (const name of fetched) {
      await mkdir(path.dirname(path.join(home, name)), { recursive: true })
      await writeFile(path.join(home, name), "new")
    }
    await restore({ ...defaults, file, data: home }, quiet)
    await restore({ ...defaults, file, data: home, replace: true }, quiet)
    expect(await readFile(path.join(home, own), "utf8")).toBe("old")
    for (const name of fetched.filter((each) => !each.startsWith(".config")))
      expect(await readFile(path.join(home, name), "utf8")).toBe("new")
    expect(await sumsOf(home)).toEqual(await sumsOf(data))
  })

  it("is refused while a service uses the directory", async () => {
    const data = await filledData()
    const file = path.join(await newDirectory(), "b")
    await backUp({ ...defaults, file, data }, quiet)
    const lock = lockDataDirectory(data)
    onTestFinished(lock.release)
    await expect(restore({ ...defaults, file, data, replace: true }, quiet)).rejects.toMatchObject({
      code: "data_directory_locked",
    })
  })
})

it("backup refuses an existing target and a directory without Docket data", async () => {
  const data = await filledData()
  const directory = await newDirectory()
  await writeFile(path.join(directory, "there"), "mine")
  await expect(backUp({ ...defaults, file: path.join(directory, "there"), data }, quiet)).rejects.toThrow(
    "is there already",
  )
  await expect(backUp({ ...defaults, file: path.join(directory, "no/b"), data }, quiet)).rejects.toThrow(
    "is no directory",
  )
  await expect(backUp({ ...defaults, file: path.join(directory, "b"), data: directory }, quiet)).rejects.toThrow(
    "holds no Docket",
  )
  expect(await readdir(directory)).toEqual(["there"])
  expect(await readFile(path.join(directory, "there"), "utf8")).toBe("mine")
})

it("backup continues when a large file is removed or grows meanwhile", async () => {
  const data = await filledData()
  const file = path.join(await newDirectory(), "moving.docket")
  const large = 17 * 1_048_576
  for (const name of ["gone", "growing"]) await writeFile(path.join(data, "tool-output", name), Buffer.alloc(large, 1))
  const source = await readTables(data, null)
  onTestFinished(() => source.close())
  const head = { docket: "0", format: 1, created: 1, data, migrations: [], tables: {} }
  const findFiles = async () => {
    const found = await findDataFiles(data, { withKeys: false })
    await rm(path.join(data, "tool-output/gone"))
    await appendFile(path.join(data, "tool-output/growing"), "more")
    return found
  }
  const { files } = await writeBackup(
    { target: file, data, head: { ...head, database: "sqlite", withKeys: false }, source, findFiles },
    quiet,
  )
  const kept = files.filter(({ path: name }) => /gone|growing/.test(name))
  expect(kept).toMatchObject([{ path: "tool-output/growing", size: large + "more".length }])
})

interface Entry {
  header: Headers
  content: Buffer
}

/** The entries of an archive, to be modified. */
async function unpack(file: string): Promise<Entry[]> {
  const archive = extract()
  archive.end(await decompress(await readFile(file)))
  const entries: Entry[] = []
  for await (const entry of archive) entries.push({ header: entry.header, content: await buffer(entry) })
  return entries
}

async function repack(file: string, entries: Entry[]): Promise<void> {
  const archive = pack()
  for (const { header, content } of entries) {
    const { name, type, mode, linkname } = header
    archive.entry({ name, type, mode, ...(linkname && { linkname }) } as Headers, content)
  }
  archive.finalize()
  await writeFile(file, await compress(await buffer(archive)))
}

const compress = promisify(zstdCompress) as (content: Buffer) => Promise<Buffer>
const decompress = promisify(zstdDecompress) as (content: Buffer) => Promise<Buffer>

/** An empty block of the kind that extends the header of the next entry. */
function emptyExtension(): Buffer {
  const block = Buffer.alloc(512)
  block.write("x", 0)
  block.write("000600 \0", 100)
  block.write("00000000000 ", 124)
  block.write("        x", 148)
  block.write("ustar\x0000", 257)
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return block
}

const entryOf = (name: string, content: string | Buffer = "", more: Partial<Headers> = {}): Entry => ({
  header: { name, type: "file", mode: 0o600, ...more } as Headers,
  content: Buffer.from(content),
})
const find = (entries: Entry[], name: string) => {
  const found = entries.find(({ header }) => header.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}
const edit = (entries: Entry[], name: string, change: (value: Record<string, unknown[]>) => object) => {
  const entry = find(entries, name)
  entry.content = Buffer.from(JSON.stringify(change(JSON.parse(entry.content.toString()))))
}
const insert = (entries: Entry[], entry: Entry) => void entries.splice(-1, 0, entry)
/** Inserts an entry and lists it in the manifest, so that only the entry itself can be the reason for a refusal. */
const insertListed = (entries: Entry[], entry: Entry) => {
  insert(entries, entry)
  const path = entry.header.name.slice("files/".length)
  const sha256 = createHash("sha256").update(entry.content).digest("hex")
  edit(entries, "manifest.json", (it) => ({
    ...it,
    files: [...(it.files ?? []), { path, size: entry.content.length, sha256 }],
  }))
}

describe("a restore changes nothing and refuses a backup with", () => {
  let good: Buffer
  beforeAll(async () => {
    const data = await filledData()
    const file = path.join(await newDirectory(), "b")
    await backUp({ ...defaults, file, data, withKeys: true }, quiet)
    good = await readFile(file)
  })

  async function expectRefused(file: string, reason: RegExp): Promise<void> {
    const outside = path.dirname(file)
    const data = path.join(outside, "data")
    await mkdir(path.join(data, "tool-output"), { recursive: true })
    await writeFile(path.join(data, "tool-output/kept"), "kept")
    const before = (await readdir(outside)).sort()
    await expect(restore({ ...defaults, file, data, replace: true }, quiet)).rejects.toThrow(reason)
    expect((await readdir(outside)).sort()).toEqual(before)
    expect((await readdir(data)).filter((name) => !name.startsWith("lock."))).toEqual(["tool-output"])
    expect(await filesIn(data)).toEqual({ "tool-output/kept": Buffer.from("kept").toString("base64") })
  }

  it.each<[string, RegExp, (entries: Entry[]) => void]>([
    [
      "a changed byte of a file",
      /a file differs/,
      (all) => void find(all, "files/tool-output/out.txt").content.writeUInt8(64, 5),
    ],
    [
      "a changed byte of a row",
      /rows of Session are missing or differ|its table|rows of/,
      (all) => {
        const rows = find(all, "tables/Session/000001.jsonl")
        rows.content = Buffer.from(rows.content.toString().replace("walnut", "walnux"))
      },
    ],
    [
      "a missing row",
      /rows of Todo are missing/,
      (all) => {
        const rows = find(all, "tables/Todo/000001.jsonl")
        rows.content = Buffer.from(rows.content.toString().split("\n").slice(1).join("\n"))
      },
    ],
    ["a missing file", /a file is missing/, (all) => void all.splice(all.indexOf(find(all, "files/token")), 1)],
    ["an additional file", /its manifest does not list a file/, (all) => insert(all, entryOf("files/more", "x"))],
    ["an unknown table", /has no place in it/, (all) => insert(all, entryOf("tables/Other/000001.jsonl", "[1]\n"))],
    ["a path upwards", /leads elsewhere/, (all) => insertListed(all, entryOf("files/../../outside", "x"))],
    ["a path upwards within", /leads elsewhere/, (all) => insertListed(all, entryOf("files/a/../b", "x"))],
    ["an absolute path", /leads elsewhere/, (all) => insertListed(all, entryOf("files//tmp/outside", "x"))],
    ["the service's database file", /leads elsewhere/, (all) => insertListed(all, entryOf("files/docket.db", "x"))],
    [
      "the record of the database in use",
      /leads elsewhere/,
      (all) => insertListed(all, entryOf("files/database.json", "{}")),
    ],
    ["the lock of the service", /leads elsewhere/, (all) => insertListed(all, entryOf("files/lock.db", "x"))],
    [
      "a link",
      /neither a file nor a directory/,
      (all) => insert(all, entryOf("files/link", "", { type: "symlink", linkname: "/etc" })),
    ],
    [
      "a hard link",
      /neither a file nor a directory/,
      (all) => insert(all, entryOf("files/link", "", { type: "link", linkname: "/etc/passwd" })),
    ],
    [
      "a device",
      /neither a file nor a directory/,
      (all) => insert(all, entryOf("files/tty", "", { type: "character-device" })),
    ],
    ["one file twice", /is in it twice/, (all) => insert(all, entryOf("files/token", "x"))],
    [
      "a file below a file",
      /nothing was changed|EEXIST|ENOTDIR/,
      (all) => insertListed(all, entryOf("files/token/below", "x")),
    ],
    ["an entry after its end", /follows its end/, (all) => void all.push(entryOf("files/late", "x"))],
    ["a changed beginning", /beginning differs/, (all) => edit(all, "backup.json", (it) => ({ ...it, created: 1 }))],
    ["no beginning", /does not begin/, (all) => void all.shift()],
    ["no end", /end is missing/, (all) => void all.pop()],
    ["a manifest with other sums", /rows of/, (all) => edit(all, "manifest.json", (it) => ({ ...it, tables: {} }))],
    ["a manifest without its fields", /description of itself/, (all) => edit(all, "manifest.json", () => ({}))],
    ["a newer format", /newer Docket/, (all) => edit(all, "backup.json", (it) => ({ ...it, format: 2 }))],
    [
      "a newer version",
      /newer Docket/,
      (all) => edit(all, "backup.json", (it) => ({ ...it, migrations: [...(it.migrations ?? []), "9999_x"] })),
    ],
  ])("%s", async (_what, reason, change) => {
    const directory = await newDirectory()
    const file = path.join(directory, "b")
    await writeFile(file, good)
    const entries = await unpack(file)
    change(entries)
    await repack(file, entries)
    await expectRefused(file, reason)
  })

  it("any changed byte of the compressed file", async () => {
    const archive = await decompress(good)
    let refused = 0
    for (let part = 0; part < 24; part++) {
      const at = Math.floor((good.length * (part + 0.5)) / 24)
      const file = path.join(await newDirectory(), "b")
      const changed = Buffer.from(good)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      // Some bits of the compressed format have no meaning: the content and its checksum stay the same.
      if ((await decompress(changed).catch(() => null))?.equals(archive)) continue
      await writeFile(file, changed)
      await expectRefused(file, /nothing was changed|newer Docket/)
      refused++
    }
    expect(refused).toBeGreaterThan(12)
  })

  it("a truncated end, or content that is no backup at all", async () => {
    for (const content of [good.subarray(0, good.length - 40), Buffer.from("hello"), Buffer.alloc(0)]) {
      const file = path.join(await newDirectory(), "b")
      await writeFile(file, content)
      await expectRefused(file, /nothing was changed/)
    }
  })

  it.each<[string, (good: Buffer, archive: Buffer) => Promise<Buffer>]>([
    ["bytes", async (all) => Buffer.concat([all, Buffer.from("more")])],
    ["empty bytes", async (all) => Buffer.concat([all, Buffer.alloc(512)])],
    ["a second archive", async (all) => Buffer.concat([all, all])],
    ["a frame that is skipped", async (all) => Buffer.concat([all, Buffer.from("502a4d180400000065766964", "hex")])],
    ["empty blocks inside the archive", (_, archive) => compress(Buffer.concat([archive, Buffer.alloc(1024)]))],
    ["a nameless header inside the archive", (_, archive) => compress(Buffer.concat([archive, emptyExtension()]))],
    [
      "a nameless header in place of the archive's end",
      (_, archive) => compress(Buffer.concat([archive.subarray(0, -1024), emptyExtension(), Buffer.alloc(512)])),
    ],
  ])("%s appended", async (_what, append) => {
    const file = path.join(await newDirectory(), "b")
    await writeFile(file, await append(good, await decompress(good)))
    await expectRefused(file, /nothing was changed: (?:something follows its end|bytes were appended|Unknown frame)/)
  })

  it("highly compressed content that would fill the disk", async () => {
    const file = path.join(await newDirectory(), "b")
    await writeFile(file, good)
    const entries = await unpack(file)
    insert(entries, entryOf("files/zeros", Buffer.alloc(1_200_000_000)))
    await repack(file, entries)
    expect((await stat(file)).size).toBeLessThan(1_000_000)
    await expectRefused(file, /far larger than a backup/)
  })
})
