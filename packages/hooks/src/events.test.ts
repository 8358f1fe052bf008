import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInMemoryStore } from "@docket/core/store"
import { answer, lastUserText, toolResults, usage } from "@docket/core/test/scripted-runtime"
import { expect, onTestFinished, test } from "vitest"
import { hookedRuntime, keeping, type ModelCall, run, saying } from "./test/hooked-runtime.ts"

/** A model that answers each time, with what it was asked. */
function answering(text = "Done.") {
  const asked: string[] = []
  const script = (options: ModelCall) => {
    asked.push(lastUserText(options))
    return answer(text)
  }
  return { asked, script }
}

test("a prompt passes a hook, whose words go with it", async () => {
  const { script, asked } = answering()
  await using host = await hookedRuntime(script, {
    UserPromptSubmit: [{ matcher: "ignored", hooks: [keeping("prompts"), run("echo 'The branch is main.'")] }],
  })
  await host.prompt("Fix it")
  expect(host.said("prompts")).toMatchObject([{ hook_event_name: "UserPromptSubmit", prompt: "Fix it" }])
  expect(asked[0]).toContain("hook ~/.config/docket/docket.json says:\nThe branch is main.")
  expect(asked[0]).toContain("Fix it")
})

test("a hook refuses a prompt, which is not stored", async () => {
  const { script, asked } = answering()
  await using host = await hookedRuntime(script, {
    UserPromptSubmit: [{ hooks: [run("grep -q hunter2 && { echo 'No passwords.' >&2; exit 2; } || exit 0")] }],
  })
  await expect(host.prompt("It is hunter2")).rejects.toThrow(/^Blocked by hook .*: No passwords\.$/)
  await host.prompt("Without one")
  expect(asked).toHaveLength(1)
  const { items } = await host.messages()
  expect(JSON.stringify(items)).not.toContain("hunter2")
})

test("a session's start is told once, and what is said stays", async () => {
  const { script, asked } = answering()
  await using host = await hookedRuntime(script, {
    SessionStart: [
      { matcher: "startup", hooks: [keeping("starts"), run("echo 'Use pnpm.'")] },
      { matcher: "resume", hooks: [keeping("resumed")] },
    ],
  })
  await host.prompt("One")
  await host.prompt("Two")
  expect(host.said("starts")).toMatchObject([{ hook_event_name: "SessionStart", source: "startup", model: "one" }])
  expect(host.said("resumed")).toEqual([])
  expect(asked[0]).toContain("Use pnpm.")
})

test("a summary made by itself is told, with the start after it", async () => {
  const tokens = { total: 99_000, noCache: 99_000, cacheRead: 0, cacheWrite: 0 }
  const script = (options: ModelCall) => {
    const text = lastUserText(options)
    if (text.startsWith("Write the summary")) return answer("The summary.")
    if (text.includes("Continue if")) return answer(text.includes("Use pnpm.") ? "Went on with pnpm." : "Went on.")
    // It fills the context of 100,000 tokens.
    return answer("Long.", { tool: "glob", input: { pattern: "*" } }).map((part) =>
      part.type === "finish" ? { ...part, usage: { ...usage, inputTokens: tokens } } : part,
    )
  }
  await using host = await hookedRuntime(script, {
    PreCompact: [{ hooks: [keeping("compacts"), run("exit 2")] }],
    SessionStart: [{ matcher: "compact", hooks: [keeping("starts"), run("echo 'Use pnpm.'")] }],
  })
  await host.prompt("Work on")
  expect(host.said("compacts")).toMatchObject([{ trigger: "auto", custom_instructions: "" }])
  expect(host.said("starts")).toMatchObject([{ source: "compact" }])
  const { items } = await host.messages()
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({ text: "Went on with pnpm." })
})

test("a stop hook has the agent go on, up to eight times", async () => {
  const { script, asked } = answering("I am done.")
  await using host = await hookedRuntime(script, {
    Stop: [{ hooks: [keeping("stops"), saying({ decision: "block", reason: "Run the tests first." })] }],
  })
  expect(await host.prompt("Fix it")).toMatchObject({ status: "completed" })
  expect(asked).toHaveLength(9)
  expect(asked[1]).toContain("says:\nRun the tests first.")
  const stops = host.said("stops").map(({ stop_hook_active, last_assistant_message }) => {
    return { stop_hook_active, last_assistant_message }
  })
  expect(stops).toHaveLength(9)
  expect(stops[0]).toEqual({ stop_hook_active: false, last_assistant_message: "I am done." })
  expect(stops.slice(1).every(({ stop_hook_active }) => stop_hook_active === true)).toBe(true)
})

test("a stop hook is told even of a last step", async () => {
  const { script, asked } = answering()
  await using host = await hookedRuntime(
    script,
    { Stop: [{ hooks: [keeping("stops"), run("exit 2")] }] },
    { config: { agent: { build: { steps: 1 } } } },
  )
  expect(await host.prompt("Fix it")).toMatchObject({ status: "completed" })
  expect(host.said("stops")).toHaveLength(1)
  expect(asked).toHaveLength(1)
})

test("a restart tells a session that it goes on", async () => {
  const hooks = { SessionStart: [{ hooks: [keeping("starts")] }] }
  const store = createInMemoryStore()
  const directory = mkdtempSync(path.join(tmpdir(), "docket-restart-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const { script } = answering()
  const first = await hookedRuntime(script, hooks, { store, directory })
  await first.prompt("One")
  await first[Symbol.asyncDispose]()
  await using second = await hookedRuntime(script, hooks, { store, directory, session: first.session })
  await second.prompt("Two")
  await second.prompt("Three")
  expect(second.said("starts").map(({ source }) => source)).toEqual(["resume"])
})

test("a stop hook that says continue false ends the turn", async () => {
  const { script, asked } = answering()
  await using host = await hookedRuntime(script, {
    Stop: [{ hooks: [saying({ continue: false }), run("echo 'Go on.' >&2; exit 2")] }],
  })
  await host.prompt("Fix it")
  expect(asked).toHaveLength(1)
})

test("subagents start and stop with hooks of their own", async () => {
  let stops = 0
  const script = (options: ModelCall) => {
    const isParent = toolResults(options).length > 0 || lastUserText(options).includes("Delegate")
    if (!isParent) return answer(`Answer ${++stops}.`)
    if (toolResults(options).length > 0) return answer("Done.")
    const input = { description: "Look", prompt: "Look around", subagent_type: "explore" }
    return answer("", { tool: "task", input })
  }
  await using host = await hookedRuntime(script, {
    SubagentStart: [{ matcher: "explore", hooks: [keeping("starts")] }],
    SubagentStop: [{ hooks: [run('grep -q \'"stop_hook_active":true\' || { echo "Say more." >&2; exit 2; }')] }],
    Stop: [{ hooks: [keeping("stops")] }],
  })
  await host.prompt("Delegate it")
  expect(host.said("starts")).toMatchObject([
    {
      hook_event_name: "SubagentStart",
      session_id: host.session.id,
      agent_type: "explore",
      agent_id: expect.any(String),
    },
  ])
  expect(stops).toBe(2)
  expect(host.said("stops")).toHaveLength(1)
})

test("a summary that a person wants may be refused", async () => {
  const { script } = answering()
  await using host = await hookedRuntime(script, {
    PreCompact: [{ matcher: "manual", hooks: [keeping("compacts"), run("echo 'Not now.' >&2; exit 2")] }],
  })
  await host.prompt("One")
  const parts = [{ type: "command" as const, name: "compact", arguments: "" }]
  const turn = await host.runtime.prompt.submit(host.session.id, { parts })
  const ended = await host.runtime.prompt.wait(turn.id)
  expect(ended).toMatchObject({ status: "failed", error: { message: expect.stringContaining("Not now.") } })
  expect(host.said("compacts")).toMatchObject([{ hook_event_name: "PreCompact", trigger: "manual" }])
})

test("a question to a person is told", async () => {
  const script = (options: ModelCall) =>
    toolResults(options).length > 0
      ? answer("Done.")
      : answer("", { tool: "write", input: { filePath: "a.txt", content: "one" } })
  await using host = await hookedRuntime(
    script,
    { Notification: [{ matcher: "permission_prompt", hooks: [keeping("told")] }] },
    { config: { permission: { edit: "ask" } } },
  )
  const ended = host.prompt("Write it")
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("nobody was asked")
  await expect
    .poll(() => host.said("told"))
    .toMatchObject([
      {
        hook_event_name: "Notification",
        notification_type: "permission_prompt",
        message: expect.stringContaining("edit"),
      },
    ])
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await ended
})

test("a session that waits for a prompt is told after a minute", async () => {
  const { script } = answering()
  const waiting: { ms: number; run: () => void }[] = []
  const timers = {
    after(ms: number, begin: () => void) {
      const one = { ms, run: begin }
      waiting.push(one)
      return () => void waiting.splice(waiting.indexOf(one), 1)
    },
    every: () => () => {},
  }
  await using host = await hookedRuntime(
    script,
    { Notification: [{ matcher: "idle_prompt", hooks: [keeping("idle")] }] },
    { timers },
  )
  await host.prompt("One")
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([60_000])
  waiting[0]?.run()
  await expect.poll(() => host.said("idle")).toMatchObject([{ notification_type: "idle_prompt" }])
})

test("the end of a session is told, and its transcript goes", async () => {
  const { script } = answering()
  await using host = await hookedRuntime(script, {
    Stop: [{ hooks: [keeping("stops")] }],
    SessionEnd: [{ hooks: [keeping("ends")] }],
  })
  await host.prompt("One")
  const transcript = String(host.said("stops")[0]?.transcript_path)
  const lines = readFileSync(transcript, "utf8")
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line))
  expect(lines).toMatchObject([
    { type: "user", sessionId: host.session.id, message: { role: "user", content: [{ type: "text", text: "One" }] } },
    { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "Done." }] } },
  ])
  await host.runtime.session.remove(host.session.id)
  expect(host.said("ends")).toMatchObject([{ hook_event_name: "SessionEnd", reason: "other" }])
  expect(existsSync(transcript)).toBe(false)
})

test("a session whose directory is gone ends without its hooks", async () => {
  const { script } = answering()
  const data = mkdtempSync(path.join(tmpdir(), "docket-hook-data-"))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  await using host = await hookedRuntime(
    script,
    { SessionEnd: [{ hooks: [keeping("ends")] }] },
    { dataDirectory: path.join("..", path.basename(data)) },
  )
  await host.prompt("One")
  rmSync(host.directory, { recursive: true })
  await host.runtime.session.remove(host.session.id)
  expect(host.said("ends")).toEqual([])
  expect(host.errors).toEqual([])
})
