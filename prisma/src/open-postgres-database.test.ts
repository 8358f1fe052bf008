import { randomUUID } from "node:crypto"
import {
  askedCrashContract,
  clockContract,
  crashContract,
  reviewCrashContract,
  shareCrashContract,
  storeContract,
  tenantContract,
  webhookCrashContract,
} from "@docket/core/store/contract"
import { afterAll, describe, expect, it } from "vitest"
import { startPostgres } from "../test/start-postgres.ts"
import { openPostgresDatabase } from "./index.ts"

const server = await startPostgres()

if (typeof server === "string") {
  console.warn(`PostgreSQL tests are skipped: ${server}`)
  it.skip(`postgres (${server})`, () => {})
} else {
  afterAll(server.stop)
  // The tests share one database; each has its own tenants.
  const open = async () => {
    const database = await openPostgresDatabase({ url: server.url })
    return { database, dispose: database.close }
  }
  storeContract("postgres", async () => {
    const { database, dispose } = await open()
    return { store: database.store(randomUUID()), dispose }
  })

  tenantContract("postgres", async () => ({ ...(await open()), tenants: [randomUUID(), randomUUID()] }))

  clockContract("postgres", async () => {
    const first = await open()
    let { dispose } = first
    const reopen = async () => {
      await dispose()
      const next = await open()
      dispose = next.dispose
      return next.database
    }
    return { database: first.database, tenantID: randomUUID(), reopen, dispose: () => dispose() }
  })

  const openCrashable = async () => {
    const tenant = randomUUID()
    let { database, dispose } = await open()
    return {
      store: database.store(tenant),
      // The server closes the connections of a killed process and rolls back its open transactions.
      async crash() {
        await dispose()
        ;({ database, dispose } = await open())
        return database.store(tenant)
      },
      dispose: () => dispose(),
    }
  }
  // Only every eighth point is tested, because each crash takes a connection and some round trips.
  crashContract("postgres", openCrashable, { every: 8 })
  reviewCrashContract("postgres", openCrashable, { every: 8 })
  shareCrashContract("postgres", openCrashable)
  askedCrashContract("postgres", openCrashable)
  webhookCrashContract("postgres", openCrashable)

  describe("postgres", () => {
    it("says what to do when the server does not answer", async () => {
      const url = new URL(server.url)
      url.port = "1"
      await expect(openPostgresDatabase({ url: url.href })).rejects.toMatchObject({
        code: "store_unavailable",
        message: expect.stringContaining("Check that the server runs"),
      })
    })
  })
}
