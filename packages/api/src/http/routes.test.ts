import { expect, it } from "vitest"
import { createRoutes, type RoutesDeps } from "./routes.ts"
import { routeAccess } from "./test/route-access.ts"

// What its routes do is not asked for.
const deps = { links: {}, auth: {}, tenants: {}, ingress: {} } as RoutesDeps

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

it("every plain route requires a capability, except routes listed as open", () => {
  const free = [...routeAccess(deps)].flatMap(([name, capability]) => (capability === null ? [name] : []))
  // By other methods than it has, an address of /v1 answers only that it has them not.
  const others = free.filter((name) => !name.includes(` ${ofLinks}`) && !name.startsWith("ALL /v1/"))
  expect(others.sort()).toEqual(open.toSorted())
})

/** What of Hono's routes the OpenAPI document leaves out, and why. */
const undescribed: Record<string, string> = {
  "ALL /*": "asks who is signed in, for the routes below it",
  "ALL /api/share/*": "answers what is no route of a link",
  "GET /api/share/{}/*": "opens the link for the routes below it",
  "GET /api/share/{}/visit": "asked for by a link's page where no script runs",
  "POST /embed/*": "the form for the password of a link, where its page is framed",
  "POST /share/*": "the form for the password of a link, on its page",
}
/** Answered before Hono is asked, and described all the same. */
const servedEarlier = "GET /api/health"

it("the OpenAPI document describes every plain route, except routes listed as omitted", () => {
  const served = new Map<string, string | null>([[servedEarlier, null]])
  for (const [name, capability] of routeAccess(deps)) {
    // See above.
    if (!name.startsWith("ALL /v1/")) served.set(shapeOf(name), capability)
  }
  const left = Object.keys(undescribed).filter((name) => served.delete(name))
  expect(left).toEqual(Object.keys(undescribed))

  const described = createRoutes(deps).openAPIRegistry.definitions.flatMap((it) => {
    if (it.type !== "route") return []
    const { method, path, "x-capability": capability = null } = it.route
    return [[shapeOf(`${method.toUpperCase()} ${path}`), capability]]
  })
  expect(described.sort()).toEqual([...served].sort())
})

/** `GET /api/share/{}.md`: without the names that Hono and OpenAPI each write in their way. */
function shapeOf(route: string): string {
  return route
    .replace(/^ALL \/session\//, "GET /session/")
    .replaceAll(/:\w+\{\[\\w-\]\+\\(\.\w+)\}/g, "{}$1")
    .replaceAll(/:\w+(\{[^}]*\})?|\{\w+\}/g, "{}")
}

it("tells what each takes", () => {
  const access = routeAccess(deps)
  expect(access.get("POST /api/tokens")).toBe("keys.manage")
  expect(access.get("PATCH /v1/todos/:id")).toBe("todo.edit")
  expect([...access.values()].filter((capability) => capability !== null).length).toBeGreaterThan(40)
})
