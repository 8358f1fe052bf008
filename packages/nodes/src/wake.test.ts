import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, expect, it, onTestFinished } from "vitest"
import { openWake } from "./wake.ts"

const postgres = await startPostgres()
const noError = (error: unknown) => {
  throw error
}

/** Messages of the server begin with their kind and the length of the rest. Source: PostgreSQL, 55.7. */
const notification = "A".charCodeAt(0)

/** Passes everything but notifications, as a pooler of transactions does. Returns the address. */
async function startPooler(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    for (const socket of [client, database]) sockets.add(socket.on("error", () => {}))
    client.pipe(database)
    database.on("end", () => client.end())
    let rest = Buffer.alloc(0)
    database.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const length = 1 + rest.readUInt32BE(1)
        if (rest[0] !== notification) client.write(rest.subarray(0, length))
        rest = rest.subarray(length)
      }
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const pooler = new URL(url)
  pooler.hostname = "127.0.0.1"
  pooler.port = String(typeof address === "object" && address ? address.port : 0)
  return pooler.href
}

if (typeof postgres === "string") {
  console.warn(`The tests of notifications are skipped: ${postgres}`)
  it.skip(`notifications (${postgres})`, () => {})
} else {
  afterAll(postgres.stop)

  it("a pooler that drops notifications is noticed and named", async () => {
    const url = await startPooler(postgres.url)
    await expect(openWake(url, noError)).rejects.toMatchObject({
      ...{ code: "store_unavailable", message: expect.stringContaining("PgBouncer") },
    })
  })

  it("one node hears what another one sends", async () => {
    const [one, other] = [await openWake(postgres.url, noError), await openWake(postgres.url, noError)]
    const heard: (string | null)[] = []
    one.listen((text) => void heard.push(text))
    const third = await openWake(postgres.url, noError)
    // The probe of the third.
    await expect.poll(() => heard.length).toBe(1)
    for (const wake of [one, other, third]) await wake.close()
  })
}
