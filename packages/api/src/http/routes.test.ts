import { expect, it } from "vitest"
import { createRoutes, type RoutesDeps } from "./routes.ts"
import { routeAccess } from "./test/route-access.ts"

// The routes are only listed, never called.
const deps = { links: {}, auth: {}, tenants: {}, ingress: {} } as RoutesDeps

/** The open routes: those for everybody, those for everybody with a link, and those that check the login. */
const open = [
  "GET /docket.schema.json",
  "POST /api/login",
  "POST /share/*",
  "POST /embed/*",
  "GET /v1/openapi-3.0.json",
  "GET /v1/openapi.json",
  "ALL /*",
  "ALL /opencode/*",
  "ALL /opencode/session/:id/*",
  "ALL /mcp",
  "ALL /mcp/*",
]
/** All routes below this address belong to share links. */
const ofLinks = "/api/share/"

it("every plain route requires a capability, except routes listed as open", () => {
  const free = [...routeAccess(deps)].flatMap(([name, capability]) => (capability === null ? [name] : []))
  // The `ALL` route of an address in /v1 only answers other methods, with those that the address has.
  const others = free.filter((name) => !name.includes(` ${ofLinks}`) && !name.startsWith("ALL /v1/"))
  expect(others.sort()).toEqual(open.toSorted())
})

/** Routes of Hono that the OpenAPI document leaves out, and why. */
const undescribed: Record<string, string> = {
  "ALL /*": "asks who is signed in, for the routes below it",
  "ALL /opencode/*": "asks whose the token is, for the routes below it, and answers what is no route",
  "ALL /opencode/session/{}/*": "keeps plugins to sessions of their project, for the routes below it",
  "ALL /mcp": "answers other methods",
  "ALL /mcp/*": "asks whose the token is, for the route there",
  "ALL /api/share/*": "answers what is no route of a link",
  "GET /api/share/{}/*": "opens the link for the routes below it",
  "GET /api/share/{}/visit": "asked for by a link's page where no script runs",
  "POST /embed/*": "the form for the password of a link, where its page is framed",
  "POST /share/*": "the form for the password of a link, on its page",
}
/** Answered without Hono, but in the document. */
const servedEarlier = ["GET /api/health", "GET /api/ready"]

it("the OpenAPI document describes every plain route, except routes listed as omitted", () => {
  const served = new Map<string, string | null>(servedEarlier.map((name) => [name, null]))
  for (const [name, capability] of routeAccess(deps)) {
    // As above, `ALL` routes of /v1 only say which methods an address has.
    if (!name.startsWith("ALL /v1/")) served.set(shapeOf(name), capability)
  }
  const omitted = Object.keys(undescribed).filter((name) => served.delete(name))
  expect(omitted).toEqual(Object.keys(undescribed))

  const described = createRoutes(deps).openAPIRegistry.definitions.flatMap((it) => {
    if (it.type !== "route") return []
    const { method, path, "x-capability": capability = null } = it.route
    return [[shapeOf(`${method.toUpperCase()} ${path}`), capability]]
  })
  expect(described.sort()).toEqual([...served].sort())
})

/** `GET /api/share/{}.md`: the route without its parameter names, which Hono and OpenAPI write differently. */
function shapeOf(route: string): string {
  return route
    .replace(/^ALL \/session\//, "GET /session/")
    .replaceAll(/:\w+\{\[\\w-\]\+\\(\.\w+)\}/g, "{}$1")
    .replaceAll(/:\w+(\{[^}]*\})?|\{\w+\}/g, "{}")
}

it("the list of routes has the capability of each", () => {
  const access = routeAccess(deps)
  expect(access.get("POST /api/tokens")).toBe("keys.manage")
  expect(access.get("PATCH /v1/todos/:id")).toBe("todo.edit")
  expect([...access.values()].filter((capability) => capability !== null).length).toBeGreaterThan(40)
})
