import { PromptInput } from "@docket/core/schema"
import { callTRPCProcedure } from "@trpc/server"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import type { ApiContext } from "../context.ts"
import { appRouter } from "../router.ts"
import { refuseUnknownKeys, unknownKeys } from "./unknown-keys.ts"

const places = (schema: z.ZodType, value: unknown) => unknownKeys(schema, value).map(({ place }) => place)

describe("unknown keys of a value", () => {
  const Inner = z.object({ a: z.string() })
  const Paged = z.object({ cursor: z.string().optional() })
  it.each<[string, z.ZodType, unknown, string[]]>([
    ["are found in an object", Inner, { a: "", b: 1 }, ["b"]],
    ["are found in a nested object", z.object({ in: Inner.optional() }), { in: { a: "", b: 1 } }, ["in.b"]],
    ["are found in list items", z.object({ list: z.array(Inner) }), { list: [{ a: "" }, { c: 1 }] }, ["list[1].c"]],
    ["are found in a pair", z.tuple([z.string(), Inner.nullable()]), ["x", { d: 1 }], ["[1].d"]],
    ["are found in the values of a record", z.record(z.string(), Inner), { any: { a: "", e: 1 } }, ["any.e"]],
    ["are found through a default and a transform", Inner.default({ a: "" }).transform((it) => it.a), { f: 1 }, ["f"]],
    ["are found by a refined schema", Inner.refine(() => false), { g: 1 }, ["g"]],
    ["are found by intersections", z.intersection(Inner, z.object({ h: z.string() })), { a: "", h: "", i: 1 }, ["i"]],
    ["are found by a lazy schema", z.lazy(() => Inner), { j: 1 }, ["j"]],
    ["are found by a strict object", z.strictObject({ a: z.string() }), { k: 1 }, ["k"]],
    ["ignore undefined values, which JSON leaves out", Inner, { a: "", b: undefined }, []],
    [
      "do not exist where any JSON is allowed",
      z.object({ any: z.unknown(), more: z.looseObject({}) }),
      { any: { x: 1 }, more: { y: 1 } },
      [],
    ],
    ["do not exist among the names of a record", z.record(z.string(), z.unknown()), { a: { b: 1 } }, []],
    ["are not listed for a value of another kind", Inner, ["a"], []],
    [
      "include names that every object inherits",
      Inner,
      JSON.parse('{"a":"","__proto__":1,"toString":2}'),
      ["__proto__", "toString"],
    ],
    ["ignore tRPC's `direction` beside a cursor", Paged, { direction: "forward" }, []],
    ["include a `direction` that is not tRPC's", Paged, { direction: { x: 1 } }, ["direction"]],
    ["include a `direction` without a cursor", Inner, { direction: "forward" }, ["direction"]],
  ])("%s", (_, schema, value, expected) => {
    expect(places(schema, value)).toEqual(expected)
  })

  it("are, in a union, those of the member that matches", () => {
    const Kind = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("all") }),
      z.object({ kind: z.literal("one"), id: z.string() }),
    ])
    expect(places(Kind, { kind: "one", id: "x" })).toEqual([])
    expect(places(Kind, { kind: "all", id: "x" })).toEqual(["id"])
    expect(places(Kind, { kind: "other", id: "x" })).toEqual([])
    const Either = z.union([z.string(), z.array(Inner), Inner, z.object({ a: z.string(), b: z.int() }).optional()])
    expect(places(Either, { a: "", b: 1 })).toEqual([])
    expect(places(Either, [{ z: 1 }])).toEqual(["[0].z"])
    expect(places(z.union([Inner, z.unknown()]), { z: 1 })).toEqual([])
  })
})

describe("the refusal of unknown keys", () => {
  const said = (value: unknown, schema: z.ZodType | null = PromptInput) => {
    try {
      refuseUnknownKeys(schema, value)
      return null
    } catch (error) {
      return (error as Error).message
    }
  }
  it("names the key and the nearest one that is known", () => {
    expect(said({ parts: [{ type: "text", text: "x", synthtic: true }] })).toBe(
      'There is no key "parts[0].synthtic" here. Did you mean "synthetic"?',
    )
  })
  it("lists the known keys where none is similar", () => {
    expect(said({ parts: [], frobnicate: { bash: false } })).toBe(
      'There is no key "frobnicate" here. It takes parts, agent, model, variant, system, tools, outputSchema, noReply, steer.',
    )
  })
  it("says that a call without input takes none", () => {
    expect(said({ a: 1, b: 2 }, null)).toBe('There is no key "a" here. It takes none. Also unknown: "b".')
    expect(said(undefined, null)).toBeNull()
    for (const value of [5, "x", [1], true]) expect(said(value, null)).toBe("This call takes no input.")
  })
  it("cuts long names", () => {
    expect(said({ parts: [], ["x".repeat(10_000)]: 1 })?.length).toBeLessThan(300)
  })
})

// The flat record has the type of the nested routers, but it contains procedures.
const flat = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: "query" | "mutation" | "subscription" } }
>
const ctx: Partial<ApiContext> = {
  identity: {
    name: "owner",
    role: "owner",
    via: "token",
    credentialID: "token",
    isOperator: true,
    caller: { person: "local", workspace: "local" },
  },
  recorder: null,
}

it("every procedure refuses a key that it does not know", async () => {
  const taken: string[] = []
  for (const [name, { _def }] of Object.entries(flat)) {
    const call = callTRPCProcedure({
      router: appRouter,
      path: name,
      type: _def.type,
      signal: undefined,
      batchIndex: 0,
      ctx,
      getRawInput: async () => ({ zzzzzzzzzz: true }),
    })
    const refusal: unknown = await call.catch((error: { cause?: unknown }) => error.cause)
    if (Reflect.get(Object(refusal), "code") !== "unknown_key") taken.push(name)
  }
  expect(Object.keys(flat).length).toBeGreaterThan(100)
  expect(taken).toEqual([])
})
