import { expect, it } from "vitest"
import type { RoutesDeps } from "./routes.ts"
import { routeAccess } from "./test/route-access.ts"

// What its routes do is not asked for.
const deps = { links: {}, auth: {}, tenants: {}, front: {} } as RoutesDeps

/** Open to whoever asks, or to whoever has a link; and what lets nobody on but who is signed in. */
const open = [
  "GET /docket.schema.json",
  "POST /api/login",
  "POST /share/*",
  "POST /embed/*",
  "GET /v1/openapi.json",
  "ALL /*",
]
/** Every address of these is a link's. */
const ofLinks = "/api/share/"

it("every plain route takes a capability, but for those that are open by name", () => {
  const free = [...routeAccess(deps)].flatMap(([name, capability]) => (capability === null ? [name] : []))
  // By other methods than it has, an address of /v1 answers only that it has them not.
  const others = free.filter((name) => !name.includes(` ${ofLinks}`) && !name.startsWith("ALL /v1/"))
  expect(others.sort()).toEqual(open.toSorted())
})

it("tells what each takes", () => {
  const access = routeAccess(deps)
  expect(access.get("POST /api/tokens")).toBe("keys.manage")
  expect(access.get("PATCH /v1/todos/:id")).toBe("todo.edit")
  expect([...access.values()].filter((capability) => capability !== null).length).toBeGreaterThan(40)
})
