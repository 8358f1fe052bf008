import type { ReviewService } from "@docket/core"
import { type Capability, coreOperations, listOperations } from "@docket/core/operations"
import type { ReviewPlace, ReviewVerdict, VerdictKind } from "@docket/core/schema"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import { expect, expectTypeOf, it } from "vitest"
import { type AppRouter, appRouter } from "./router.ts"

type Inputs = inferRouterInputs<AppRouter>["review"]
type Outputs = inferRouterOutputs<AppRouter>["review"]

it("an operation's procedure has its input and output as types", () => {
  expectTypeOf<Inputs["verdict"]["give"]>().toEqualTypeOf<{
    taskID: string
    verdict: VerdictKind
    reason?: string | undefined
    seen?: string | undefined
  }>()
  expectTypeOf<Outputs["verdict"]["give"]>().toEqualTypeOf<ReviewVerdict>()
  expectTypeOf<Inputs["awaiting"]>().toEqualTypeOf<void>()
  expectTypeOf<Inputs["inbox"]>().toEqualTypeOf<{ limit?: number | undefined; cursor?: string | undefined }>()
  expectTypeOf<Outputs["inbox"]>().toEqualTypeOf<Awaited<ReturnType<ReviewService["inbox"]>>>()
  expectTypeOf<Extract<Inputs["draft"]["save"], { place: unknown }>>().toEqualTypeOf<{
    sessionID: string
    place: ReviewPlace
    text: string
    since?: number | undefined
  }>()
  expectTypeOf<Outputs["draft"]["discard"]>().toEqualTypeOf<null>()
})

it("an operation's procedure has its kind, capability and audit rule", () => {
  // The flat record has the type of the nested routers, but it contains procedures.
  const flat = appRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: string; meta: { capability: Capability; audit: unknown } } }
  >
  for (const [name, { kind, capability, audit }] of listOperations(coreOperations))
    if (kind === "inner") expect(flat[name]).toBeUndefined()
    else expect(flat[name]?._def, name).toMatchObject({ type: kind, meta: { capability, audit } })
})
