import type { ToolContext } from "@docket/core/tool"
import { expect, test } from "vitest"
import { createResourceTool } from "./resource-tool.ts"

test("leave for resources is for the server as it is configured now", async () => {
  const asked: string[][] = []
  const tool = createResourceTool([
    {
      ...{ name: "docs", digest: "0123456789abcdef" },
      list: async () => ({ resources: [], templates: [] }),
      read: async () => ({ contents: [] }),
    },
  ])
  const context = {
    signal: new AbortController().signal,
    ask: async ({ patterns, always }: { patterns: string[]; always: string[] }) => void asked.push(patterns, always),
  } as unknown as ToolContext
  await tool.execute({ server: "docs", uri: "a://b" }, context)
  await tool.execute({ server: "docs" }, context)
  expect(asked).toEqual([
    ["docs:a://b 0123456789ab"],
    ["docs:* 0123456789ab"],
    ["docs:list 0123456789ab"],
    ["docs:* 0123456789ab"],
  ])
})
