import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mergeConfig } from "./merge-config.ts"
import type { Config } from "./schema.ts"

const action = fc.constantFrom("allow", "ask", "deny" as const)
const permission = fc.oneof(
  action,
  fc.dictionary(
    fc.constantFrom("*", "edit", "bash", "read"),
    fc.oneof(action, fc.dictionary(fc.constantFrom("*", "a", "*.ts"), action)),
  ),
)
/** Whatever an option may hold: also a plain value in one file where another has a map. */
const open = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.integer(),
    fc.boolean(),
    fc.array(fc.integer(), { maxLength: 2 }),
    fields(tie("value")),
  ),
})).value
function fields<T>(value: fc.Arbitrary<T>) {
  return fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 })
}
const tag = fc.oneof(
  fc.boolean(),
  fc.constant("thought"),
  fc.record({ tag: fc.constant("t") }),
  fc.record({ begins_inside: fc.boolean() }),
)
const agent = fc.record({ permission, options: fields(open), steps: fc.integer({ min: 1 }) }, { requiredKeys: [] })
const config: fc.Arbitrary<Config> = fc.record(
  {
    model: fc.constantFrom("a/one", "a/two"),
    permission,
    agent: fc.dictionary(fc.constantFrom("build", "mine"), agent),
    provider: fc.dictionary(
      fc.constant("lab"),
      fc.record({ reasoning_tag: tag, options: fields(open) }, { requiredKeys: [] }),
    ),
    instructions: fc.array(fc.constantFrom("a.md", "b.md", "c.md"), { maxLength: 3 }),
    share_embed_sites: fc.array(fc.constantFrom("https://a.example", "https://b.example"), { maxLength: 2 }),
  },
  { requiredKeys: [] },
)
/** With the order of keys, because the last matching rule decides. */
const ordered = (value: Config) => JSON.stringify(value)

describe("mergeConfig", () => {
  it("is associative: the order of merging several files does not matter", () => {
    fc.assert(
      fc.property(config, config, config, (low, middle, high) => {
        const left = mergeConfig(mergeConfig(low, middle), high)
        const right = mergeConfig(low, mergeConfig(middle, high))
        expect(ordered(left)).toBe(ordered(right))
      }),
      drawn(500, 200),
    )
  })

  it("moves a repeated rule to the end, because the last match decides", () => {
    const low = { permission: { bash: { "git *": "deny", "*": "allow" }, edit: "ask" } } as const
    const high = { permission: { bash: { "git *": "ask" } } } as const
    expect(ordered(mergeConfig(low, high))).toBe(
      ordered({ permission: { edit: { "*": "ask" }, bash: { "*": "allow", "git *": "ask" } } }),
    )
  })

  it("joins the hooks of both, those below first", () => {
    const of = (text: string) => ({ hooks: [{ type: "command" as const, command: text }] })
    const low = { hooks: { Stop: [of("low")], PreToolUse: [of("only low")] } }
    const high = { hooks: { Stop: [of("high")] } }
    expect(mergeConfig(low, high).hooks).toEqual({
      PreToolUse: [of("only low")],
      Stop: [of("low"), of("high")],
    })
  })

  it("merges no lower map into a map that replaced a plain value", () => {
    const of = (reasoning_tag: NonNullable<Config["provider"]>[string]["reasoning_tag"]) => ({
      provider: { lab: { reasoning_tag } },
    })
    const upper = mergeConfig(of(false), of({ begins_inside: true }))
    expect(mergeConfig(of({ tag: "thought" }), upper)).toEqual(of({ begins_inside: true }))
  })
})
