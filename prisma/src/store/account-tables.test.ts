import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createManualTime } from "@docket/core/test/manual-time"
import { expect, it, onTestFinished } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { type OpenedDatabase, openPostgresDatabase, openSqliteDatabase } from "../index.ts"

const moment = new Date("2026-03-01T10:00:00.123Z")
const ada = {
  id: "usr_1",
  name: "Ada",
  email: "ada@example.org",
  emailVerified: true,
  createdAt: moment,
  updatedAt: moment,
}

async function expectAccounts({ accounts: { client } }: OpenedDatabase): Promise<void> {
  const { authUser, authMember, authOrganization } = client
  expect(await authUser.create?.({ data: ada })).toMatchObject({ ...ada, twoFactorEnabled: false })
  expect(await authUser.findFirst?.({ where: { email: "ada@example.org" } })).toMatchObject(ada)
  await expect(authUser.create?.({ data: { ...ada, id: "usr_2" } })).rejects.toThrow(/unique constraint/i)
  await authOrganization.create?.({ data: { id: "local", name: "Team", slug: "local", createdAt: moment } })
  const member = { id: "mem_1", organizationId: "local", userId: "usr_1", role: "owner", createdAt: moment }
  await authMember.create?.({ data: member })
  // A transaction is applied completely or not at all.
  const broken = client.$transaction(async (inner) => {
    const within = inner as typeof client
    await within.authMember.update?.({ where: { id: "mem_1" }, data: { role: "viewer" } })
    throw new Error("stop here")
  })
  await expect(broken).rejects.toThrow("stop here")
  expect(await authMember.findFirst?.({ where: { id: "mem_1" } })).toMatchObject({ role: "owner" })
  // Removing a user removes all their rows.
  await authUser.delete?.({ where: { id: "usr_1" } })
  expect(await authMember.count?.({ where: { organizationId: "local" } })).toBe(0)
}

it("accounts in SQLite have millisecond timestamps and unique addresses", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-accounts-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const database = await openSqliteDatabase({ file: join(directory, "docket.db"), clock: Date.now })
  await expectAccounts(database)
  expect(database.accounts.provider).toBe("sqlite")
  await database.close()
})

it("accounts are stored in PostgreSQL too, but never after losing the database", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  let isOwner = true
  const time = createManualTime()
  const waits = { ownsDatabase: () => isOwner, timers: time.timers }
  const database = await openPostgresDatabase({ url: server.url, waits })
  await expectAccounts(database)
  expect(database.accounts.provider).toBe("postgresql")
  isOwner = false
  const refused = expect(database.accounts.client.authUser.create?.({ data: ada })).rejects.toThrow("writes nothing")
  await time.pass(120_000)
  await refused
  await database.close()
})
