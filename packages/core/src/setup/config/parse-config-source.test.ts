import { expect, test } from "vitest"
import { parseConfigSource } from "./parse-config-source.ts"
import type { ConfigSource } from "./read-config-sources.ts"

const source = (text: string, change: Partial<ConfigSource> = {}): ConfigSource => ({
  file: "/p/.docket/agents/a.md",
  directory: "/p",
  agent: { name: "a", origin: "docket" },
  text,
  ...change,
})

test("an agent's file is parsed again only when it has changed", async () => {
  const first = await parseConfigSource(source("---\nmode: all\n---\nOne."))
  expect(await parseConfigSource(source("---\nmode: all\n---\nOne."))).toBe(first)
  const second = await parseConfigSource(source("---\nmode: subagent\n---\nTwo."))
  expect(second.config?.agent?.a).toEqual({ mode: "subagent", prompt: "Two." })
  const renamed = await parseConfigSource(
    source("---\nmode: subagent\n---\nTwo.", { agent: { name: "b", origin: "docket" } }),
  )
  expect(Object.keys(renamed.config?.agent ?? {})).toEqual(["b"])
})
