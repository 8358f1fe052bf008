import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { loadCopies, type OpenedDatabase, openSqliteDatabase, type TableSum } from "@docket/db"
import { inhabitTenant } from "../../test/inhabit-tenant.ts"

const directories: string[] = []
let filled: Promise<string> | undefined

/** To be called at the end of each test file: files that run in one process share the directories. */
export async function removeDirectories(): Promise<void> {
  filled = undefined
  const made = directories.splice(0)
  await Promise.all(made.map((directory) => rm(directory, { recursive: true, force: true, maxRetries: 10 })))
}

export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-operate-"))
  directories.push(directory)
  return directory
}

/** A data directory of two workspaces, with files of every kind: a copy of a directory that is created once. */
export async function filledData(): Promise<string> {
  filled ??= fill()
  const data = path.join(await newDirectory(), "data")
  await cp(await filled, data, { recursive: true })
  return data
}

async function fill(): Promise<string> {
  const root = await newDirectory()
  const data = path.join(root, "data")
  await mkdir(data, { mode: 0o700 })
  const database = await openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now })
  for (const [tenantID, secret] of [
    ["local", "walnut"],
    ["team-b", "almond"],
  ] as const)
    await inhabitTenant({ database, directory: path.join(root, "homes") }, { tenantID, secret, from: 2 })
  await signUp(database.accounts)
  await database.close()
  const files = {
    "tool-output/out.txt": "everything\n".repeat(1_000),
    "snapshots/prj_1/objects/ab/cdef": "\0\x01binary",
    "plans/ä plan.md": "# Plan",
    "workspaces/team-b/tool-output/x": "theirs",
    "workspaces/team-b/auth.json": `{"openai":"sk-theirs"}`,
    "worktrees/prj_1/task/file": "work",
    "auth.json": `{"openai":"sk-ours"}`,
    token: "the token",
    "team-secret": "the secret",
    "team.json": JSON.stringify({
      url: "https://x.org",
      roots: ["/srv/x"],
      smtp: { url: "smtp://a:b@c", from: "a@b.c" },
    }),
    "last-sign": "1",
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(data, name)), { recursive: true, mode: 0o700 })
    await writeFile(path.join(data, name), content, { mode: 0o600 })
  }
  // Git needs this directory to recognize a repository.
  await mkdir(path.join(data, "snapshots/prj_1/refs/heads"), { recursive: true })
  return data
}

/** A user with a second factor, who also signs in with a provider. */
async function signUp(accounts: OpenedDatabase["accounts"]): Promise<void> {
  if (accounts === undefined) throw new Error("no accounts")
  const now = new Date(0)
  const times = { createdAt: now, updatedAt: now }
  const user = {
    id: "u",
    name: "Nora",
    email: "nora@example.org",
    emailVerified: true,
    twoFactorEnabled: true,
    ...times,
  }
  await accounts.client.authUser.create?.({ data: user })
  const tokens = {
    accessToken: "at-theirs",
    refreshToken: "rt-theirs",
    idToken: "it-theirs",
    accessTokenExpiresAt: now,
  }
  const elsewhere = { id: "a", accountId: "1", providerId: "example", userId: "u", ...tokens, ...times }
  await accounts.client.authAccount.create?.({ data: elsewhere })
  await accounts.client.authTwoFactor.create?.({
    data: { id: "t", userId: "u", secret: "tf-secret", backupCodes: "tf-codes" },
  })
}

/** The checksum of each table, in either database. */
export async function sumsOf(data: string, url: string | null = null): Promise<Record<string, TableSum>> {
  const copies = await loadCopies()
  const source =
    url === null ? copies.readSqliteTables(path.join(data, "docket.db")) : await copies.readPostgresTables(url)
  const sums: Record<string, TableSum> = {}
  for (const table of source.tables) sums[table.name] = await copies.sumOf(source.rows(table))
  await source.close()
  return sums
}

/** All files of a directory except those of the database and the lock, with their content. */
export async function filesIn(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files: Record<string, string> = {}
  for (const entry of entries) {
    const at = path.join(entry.parentPath, entry.name)
    const name = path.relative(directory, at)
    if (!entry.isFile() || /^(?:docket\.db|lock\.|database\.json)/.test(entry.name)) continue
    files[name] = (await readFile(at)).toString("base64")
  }
  return files
}
