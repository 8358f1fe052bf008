import { type FaultyStore, outageContract } from "@docket/core/store/contract"
import { createManualTime } from "@docket/core/test/manual-time"
import { test } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase } from "../index.ts"

/** Started once only to learn whether this machine has a PostgreSQL that the test may stop. */
const probe = await startPostgres({ own: true })
const reason = typeof probe === "string" ? probe : probe.halt === null ? "this server is not ours to stop" : null
if (typeof probe !== "string") await probe.stop()

/** Uses its own server, because a test may leave it stopped. */
async function open(): Promise<FaultyStore> {
  const server = await startPostgres({ own: true })
  if (typeof server === "string") throw new Error(server)
  const time = createManualTime()
  const away = new Set<(reason: Error) => void>()
  const lost = new Set<(reason: string) => void>()
  const database = await openPostgresDatabase({
    url: server.url,
    waits: {
      ownsDatabase: () => true,
      timers: time.timers,
      onAway: (why) => {
        for (const listener of away) listener(why)
      },
      onGivenUp: ({ message }) => {
        for (const listener of lost) listener(message)
      },
    },
  })
  let startAgain = async () => {}
  return {
    store: database.store("local"),
    storeAway: {
      reason: () => database.outage?.reason() ?? null,
      onAway(listener) {
        away.add(listener)
        return () => void away.delete(listener)
      },
    },
    watchStore: (listener) => void lost.add(listener),
    async halt() {
      startAgain = (await server.halt?.("fast")) ?? startAgain
    },
    resume: () => startAgain(),
    pass: time.pass,
    async dispose() {
      await database.close()
      await server.stop()
    },
  }
}

if (reason === null) outageContract("postgres", open)
else test.skip(`postgres (${reason})`, () => {})
