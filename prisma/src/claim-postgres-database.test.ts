import { afterAll, expect, it } from "vitest"
import { startPostgres } from "../test/start-postgres.ts"
import { claimPostgresDatabase } from "./index.ts"

const server = await startPostgres()

if (typeof server === "string") {
  console.warn(`PostgreSQL tests are skipped: ${server}`)
  it.skip(`postgres (${server})`, () => {})
} else {
  afterAll(server.stop)

  it("lets one service have a database, and the next one when it has gone", async () => {
    const first = await claimPostgresDatabase(server.url)
    await expect(claimPostgresDatabase(server.url, { waitMs: 0 })).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("another Docket service"),
    })
    const second = claimPostgresDatabase(server.url)
    await first.release()
    await (await second).release()
  })

  it("says what to do when the server does not answer", async () => {
    const url = new URL(server.url)
    url.port = "1"
    await expect(claimPostgresDatabase(url.href)).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("Check that the server runs"),
    })
  })
}
