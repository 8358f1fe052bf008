import { once } from "node:events"
import { createServer } from "node:http"
import { sharedPostgres, startOwnCluster } from "./start-postgres.ts"

/**
 * Vitest's global set-up: one PostgreSQL cluster for all test files of a run, started when the first file asks for it.
 * @returns a function that stops the cluster
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Every project of a run calls this; the first call serves all of them.
  if (process.env[sharedPostgres]) return
  let cluster: ReturnType<typeof startOwnCluster> | undefined
  const server = createServer(async (_request, response) => {
    cluster ??= startOwnCluster()
    const started = await cluster
    const answer = typeof started === "string" ? { url: null, problem: started } : { url: started.url, problem: "" }
    response.end(JSON.stringify(answer))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the system gave no port")
  process.env[sharedPostgres] = `http://127.0.0.1:${address.port}`
  return async () => {
    delete process.env[sharedPostgres]
    server.close()
    server.closeAllConnections()
    const started = await cluster
    if (started && typeof started !== "string") await started.stop()
  }
}
