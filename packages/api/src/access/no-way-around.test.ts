import { type AuditRule, accessTable } from "@docket/core/operations"
import { z } from "@hono/zod-openapi"
import { expect, expectTypeOf, it } from "vitest"
import type { GuardedRoutes } from "../http/guarded-routes.ts"
import { appRouter } from "../router.ts"
import * as trpc from "../trpc.ts"
import { guardedRoute } from "../v1/guarded-route.ts"
import type { V1App } from "../v1/v1-app.ts"

const answer = { responses: { 200: { description: "it is there" } } } as const

it("a procedure without a capability does not compile", () => {
  expectTypeOf(trpc.allowed).parameters.toEqualTypeOf<[keyof typeof accessTable, (AuditRule | undefined)?]>()
  // @ts-expect-error a procedure begins with the capability that it requires
  expect(() => trpc.allowed().query(() => 1)).not.toThrow()
  // @ts-expect-error the capability has to be one of the table
  expect(() => trpc.allowed("everything").query(() => 1)).not.toThrow()
  expect(Object.keys(trpc).sort()).toEqual(["allowed", "router"])
})

it("a route behind the login without a capability does not compile", () => {
  const routes: Pick<GuardedRoutes, "get"> = { get: () => undefined }
  routes.get("/api/this", "read", (c) => c.text("this"))
  // @ts-expect-error the capability stands before the handler
  routes.get("/api/that", (c) => c.text("that"))
})

it("a route of /v1 without a capability does not compile", () => {
  const app: Pick<V1App, "openapi"> = { openapi: () => undefined }
  app.openapi(guardedRoute("read", { method: "get", path: "/this", ...answer }), (c) => c.text("this"))
  // @ts-expect-error the definition has to name a capability
  app.openapi({ method: "get", path: "/that", ...answer }, (c) => c.text("that"))
  // @ts-expect-error the app has no other method that adds a route
  expect(app.get).toBeUndefined()
})

it("every procedure names a capability of the table", () => {
  // The flat record has the type of the nested routers, but it contains procedures.
  const flat = appRouter._def.procedures as unknown as Record<string, { _def: { meta?: unknown } }>
  const Meta = z.object({ capability: z.enum(Object.keys(accessTable)) })
  const without = Object.entries(flat).filter(([, { _def }]) => !Meta.safeParse(_def.meta).success)
  expect(Object.keys(flat).length).toBeGreaterThan(100)
  expect(without.map(([name]) => name)).toEqual([])
})
