import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { AskDocket } from "@docket/plugins"
import { expect, onTestFinished, test } from "vitest"
import { createPluginDoor } from "./plugin-door.ts"

const project = { id: "prj_one", worktree: "/one", directory: "/one" }
const place = { project, checkout: "/one" } as Parameters<AskDocket>[0]["place"]

/** A door to a service that keeps which addresses it was asked for. */
async function opened() {
  const seen: string[] = []
  const server = createServer(({ url }, response) => {
    seen.push(url ?? "")
    response.end("{}")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(async () => {
    server.close()
    await once(server, "close")
  })
  const door = createPluginDoor({ isTeam: false })
  door.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const ask = async (path: string) => {
    const { signal } = new AbortController()
    return (await door.ask("personal")({ place, path, method: "GET", headers: [], body: null, signal })).status
  }
  return { ask, seen }
}

test.each(["/../v1/sessions", "/%2e%2e/v1/sessions", "/..\\v1/sessions", "/session/../../v1/sessions", "-other", ""])(
  "a plugin's path does not leave the routes for plugins: %j",
  async (path) => {
    const { ask, seen } = await opened()
    expect(await ask(path)).toBe(404)
    expect(seen).toEqual([])
  },
)

test("a plugin's request is about its own project, whatever it names", async () => {
  const { ask, seen } = await opened()
  expect(await ask("/session?directory=/two&limit=1")).toBe(200)
  expect(seen).toEqual(["/opencode/session?directory=%2Fone&limit=1"])
})
