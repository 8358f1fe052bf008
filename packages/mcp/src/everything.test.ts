import { describe, expect, test } from "vitest"
import { everything } from "./test/everything.ts"
import { runServers } from "./test/run-servers.ts"

describe.each(["stdio", "streamableHttp", "sse"] as const)("server-everything by %s", (transport) => {
  async function ready() {
    const fixture = await runServers({ mcp: { ev: await everything(transport) } })
    await fixture.toolNames()
    await fixture.untilState("ev", ["ready"])
    return fixture
  }

  test("its tools answer: text, structure, pictures and resources", async () => {
    const { call, results, run, toolNames } = await ready()
    const names = (await toolNames()).filter((name) => name.startsWith("ev_"))
    expect(names.length).toBeGreaterThanOrEqual(13)
    await call({ tool: "ev_echo", input: { message: "hi" } }, { tool: "ev_get-sum", input: { a: 2, b: 3 } })
    expect(results).toEqual([expect.stringContaining("hi"), expect.stringContaining("5")])
    await call({ tool: "ev_get-structured-content", input: { location: "Chicago" } })
    // The text says what the structure says, so it is read once.
    expect(JSON.parse(results.at(-1) ?? "")).toHaveProperty("temperature")
    await call({ tool: "ev_get-tiny-image", input: {} })
    const parts = (await run.messages()).items.flatMap((message) => message.parts)
    const picture = parts.findLast((part) => part.type === "tool")
    expect(picture).toMatchObject({ state: { attachments: [{ mime: "image/png" }] } })
    await call({ tool: "ev_get-resource-reference", input: { resourceType: "Text", resourceId: 1 } })
    expect(results.at(-1)).toContain("[resource demo://resource/dynamic/text/1]")
    await call({ tool: "ev_get-resource-links", input: { count: 2 } })
    expect(results.at(-1)).toMatch(/\[resource .*: demo:\/\//)
  })

  test("progress is shown on the card, and a stop ends the call", async () => {
    const { call, run } = await ready()
    await call({ tool: "ev_trigger-long-running-operation", input: { duration: 0.4, steps: 2 } })
    const shown = run.events.flatMap((event) =>
      event.type === "message.part.updated" && event.properties.part.type === "tool"
        ? [JSON.stringify(event.properties.part.state)]
        : [],
    )
    expect(shown.some((state) => state.includes("1 of 2"))).toBe(true)
    const ending = call({ tool: "ev_trigger-long-running-operation", input: { duration: 600, steps: 600 } })
    await run.until(
      (event) =>
        event.type === "message.part.updated" &&
        event.properties.part.type === "tool" &&
        JSON.stringify(event.properties.part.state).includes("1 of 600"),
    )
    await run.runtime.abort(run.session.id)
    await ending
    expect(run.errors).toEqual([])
  })
})
