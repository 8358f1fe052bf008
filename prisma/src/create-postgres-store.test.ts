import { randomUUID } from "node:crypto"
import { storeContract, tenantContract } from "@docket/core/store/contract"
import { afterAll, describe, expect, it } from "vitest"
import { startPostgres } from "../test/start-postgres.ts"
import { createPostgresStore } from "./index.ts"

const server = await startPostgres()

if (typeof server === "string") {
  console.warn(`PostgreSQL tests are skipped: ${server}`)
  it.skip(`postgres (${server})`, () => {})
} else {
  afterAll(server.stop)
  // Tests share one database; each is a tenant of its own.
  storeContract("postgres", async () => {
    const store = await createPostgresStore({ url: server.url, tenantID: randomUUID() })
    return { store, dispose: store.close }
  })

  tenantContract("postgres", async () => {
    const open = () => createPostgresStore({ url: server.url, tenantID: randomUUID() })
    const [a, b] = [await open(), await open()]
    return {
      stores: [a, b],
      async dispose() {
        await a.close()
        await b.close()
      },
    }
  })

  describe("postgres", () => {
    it("says what to do when the server does not answer", async () => {
      const url = new URL(server.url)
      url.port = "1"
      await expect(createPostgresStore({ url: url.href, tenantID: "a" })).rejects.toMatchObject({
        code: "store_unavailable",
        message: expect.stringContaining("Check that the server runs"),
      })
    })
  })
}
