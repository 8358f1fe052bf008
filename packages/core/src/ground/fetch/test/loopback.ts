import { createServer, type RequestListener } from "node:http"
import type { LookupFunction } from "node:net"
import { onTestFinished } from "vitest"

/** A server on loopback until the end of the test, and how many connections reached it. */
export async function serve(listener: RequestListener): Promise<{ port: number; url: string; connections(): number }> {
  const server = createServer(listener)
  let connections = 0
  server.on("connection", () => connections++)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return { port: address.port, url: `http://127.0.0.1:${address.port}/`, connections: () => connections }
}

/** Answers as long as anybody reads. */
export const endless: RequestListener = (_, response) => {
  const more = () => {
    while (!response.destroyed && response.write("x".repeat(65_536)));
  }
  response.on("drain", more)
  more()
}

/** Gives these addresses for every name, further ones at each look-up, and the last ones from then on. */
export function names(...addresses: string[][]): LookupFunction {
  let asked = 0
  return (_, __, callback) => {
    const found = addresses[Math.min(asked++, addresses.length - 1)] ?? []
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    )
  }
}
