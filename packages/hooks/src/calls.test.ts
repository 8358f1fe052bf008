import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import type { ToolPart } from "@docket/core/schema"
import { answer, type ScriptedRuntime, toolResults } from "@docket/core/test/scripted-runtime"
import { readCallChanges } from "@docket/core/tool-metadata"
import { expect, test } from "vitest"
import { hookedRuntime, keeping, type ModelCall, run, saying } from "./test/hooked-runtime.ts"

/** A model that makes the calls at once and then answers, with the requests that it got. */
function calling(...calls: { tool: string; input: object; id?: string }[]) {
  const asked: ModelCall[] = []
  const script = (options: ModelCall) => {
    asked.push(options)
    return toolResults(options).length > 0 ? answer("Done.") : answer("", ...calls)
  }
  return { asked, script }
}

async function callsOf(host: ScriptedRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  return items.flatMap(({ parts }) => parts).filter((part) => part.type === "tool")
}

const write = { tool: "write", input: { filePath: "a.txt", content: "one\n" } }

test("hooks read a call in Claude Code's words, before and after", async () => {
  const { script } = calling({ ...write, id: "call_1" })
  await using host = await hookedRuntime(script, {
    PreToolUse: [{ matcher: "Write|Edit", hooks: [keeping("before")] }],
    PostToolUse: [{ matcher: "^Wr", hooks: [keeping("after")] }],
    PostToolUseFailure: [{ hooks: [keeping("failed")] }],
  })
  await host.prompt("Write it")
  const file_path = path.join(host.directory, "a.txt")
  const common = {
    session_id: host.session.id,
    cwd: host.directory,
    permission_mode: "default",
    tool_name: "Write",
    tool_input: { file_path, content: "one\n" },
    tool_use_id: "call_1",
  }
  expect(host.said("before")).toEqual([
    { ...common, hook_event_name: "PreToolUse", transcript_path: expect.any(String) },
  ])
  expect(host.said("after")).toEqual([
    expect.objectContaining({
      ...common,
      hook_event_name: "PostToolUse",
      tool_response: expect.objectContaining({ filePath: file_path, success: true }),
      duration_ms: expect.any(Number),
    }),
  ])
  expect(host.said("failed")).toEqual([])
})

test.each([
  ["exit code 2", run("echo 'Not that file.' >&2; exit 2")],
  [
    "a denial",
    saying({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Not that file.",
      },
    }),
  ],
  ["an older block", saying({ decision: "block", reason: "Not that file." })],
])("%s of a hook blocks a call, and the card says why", async (_how, hook) => {
  const { script, asked } = calling(write)
  await using host = await hookedRuntime(script, { PreToolUse: [{ hooks: [hook] }] })
  await host.prompt("Write it")
  const [call] = await callsOf(host)
  const by = "hook ~/.config/docket/docket.json"
  expect(call?.state).toMatchObject({ status: "error", error: `Blocked by ${by}: Not that file.` })
  expect(call && readCallChanges(call)).toEqual([{ what: "blocked", by, reason: "Not that file." }])
  expect(asked[1] && toolResults(asked[1])).toEqual([`Blocked by ${by}: Not that file.`])
})

test("a failed hook is named on the card; the call goes on", async () => {
  const { script } = calling(write)
  await using host = await hookedRuntime(script, { PreToolUse: [{ hooks: [run("echo broken >&2; exit 1")] }] })
  await host.prompt("Write it")
  const [call] = await callsOf(host)
  expect(call?.state.status).toBe("completed")
  expect(call && readCallChanges(call)).toMatchObject([
    { what: "unchecked", reason: "it ended with exit code 1: broken" },
  ])
})

test("a hook with onFailure block blocks where it fails", async () => {
  const { script } = calling(write)
  await using host = await hookedRuntime(script, {
    PreToolUse: [{ hooks: [run("exit 7", { onFailure: "block" })] }],
  })
  await host.prompt("Write it")
  const [call] = await callsOf(host)
  expect(call?.state).toMatchObject({ status: "error", error: expect.stringContaining("exit code 7") })
})

test("a hook changes the arguments of a call in Claude Code's words", async () => {
  const { script } = calling(write)
  const updatedInput = '{"file_path":"\'"$CLAUDE_PROJECT_DIR"\'/moved.txt","content":"two"}'
  const command = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":${updatedInput}}}'`
  await using host = await hookedRuntime(script, { PreToolUse: [{ matcher: "write", hooks: [run(command)] }] })
  await host.prompt("Write it")
  const [call] = await callsOf(host)
  const filePath = path.join(host.directory, "moved.txt")
  expect(call?.state).toMatchObject({ status: "completed", input: { filePath, content: "two" } })
  expect(readFileSync(filePath, "utf8")).toBe("two")
  expect(call && readCallChanges(call)).toEqual([{ what: "arguments", by: "hook ~/.config/docket/docket.json" }])
})

/** A hook that changes the command of a call. */
const sends = (script: string) =>
  run(
    `command=$(sed 's/.*"command":"\\([^"]*\\)".*/\\1/'); ${script}; ` +
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"'"$command"'"}}}'`,
  )
const bash = (command: string) => ({ tool: "bash", input: { command, description: "Try it" } })

test("a guard sees what another hook makes of the arguments", async () => {
  const { script } = calling(bash("echo fine"))
  await using host = await hookedRuntime(script, {
    PreToolUse: [
      { hooks: [run(`cat | grep -q harm && { echo 'No harm.' >&2; exit 2; }; exit 0`)] },
      { hooks: [sends('command="echo harm > done.txt"')] },
    ],
  })
  await host.prompt("Try it")
  const [call] = await callsOf(host)
  expect(call?.state).toMatchObject({ status: "error", error: expect.stringContaining("No harm.") })
  expect(call && readCallChanges(call).map(({ what }) => what)).toEqual(["arguments", "blocked"])
})

test("a hook that allows a call allows no other arguments", async () => {
  const { script } = calling({ tool: "read", input: { filePath: "fine.txt" } })
  const allows = `grep -q fine && echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'; exit 0`
  const other = saying({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { file_path: ".env" } } })
  await using host = await hookedRuntime(
    script,
    { PreToolUse: [{ hooks: [run(allows)] }, { hooks: [other] }] },
    { config: { permission: {} } },
  )
  writeFileSync(path.join(host.directory, ".env"), "KEY=1\n")
  const ended = host.prompt("Read it").then(() => null)
  const asked = await Promise.race([ended, host.until((event) => event.type === "permission.asked")])
  if (asked?.type !== "permission.asked") throw new Error("nobody was asked")
  expect(asked.properties.request.patterns).toEqual([".env"])
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await ended
})

test("rules judge the arguments as a hook left them", async () => {
  const { script } = calling(bash("echo fine"))
  await using host = await hookedRuntime(
    script,
    { PreToolUse: [{ hooks: [sends('command="rm a.txt"')] }] },
    { config: { permission: { bash: { "*": "allow", "rm *": "deny" } } } },
  )
  await host.prompt("Try it")
  const [call] = await callsOf(host)
  expect(call?.state).toMatchObject({ status: "error", error: expect.stringContaining("rm a.txt") })
})

test("hooks that never agree about the arguments block the call", async () => {
  const { script } = calling(bash("echo fine"))
  await using host = await hookedRuntime(script, {
    PreToolUse: [{ hooks: [sends('command="$command a"')] }, { hooks: [sends('command="$command b"')] }],
  })
  await host.prompt("Try it")
  const [call] = await callsOf(host)
  expect(call?.state).toMatchObject({
    status: "error",
    error: expect.stringContaining("changed its arguments 5 times"),
  })
})

test("a hook that wants another file of a patch blocks it", async () => {
  const patchText = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch"
  const { script } = calling({ tool: "apply_patch", input: { patchText } })
  const other = saying({
    hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { file_path: "/b.txt", content: "two" } },
  })
  await using host = await hookedRuntime(
    script,
    { PreToolUse: [{ matcher: "Write", hooks: [other] }] },
    { config: { agent: { build: { model: "scripted/gpt-5" } } } },
  )
  await host.prompt("Patch it")
  const [call] = await callsOf(host)
  expect(call?.state).toMatchObject({ status: "error", error: expect.stringContaining("Make this change with edit") })
})

test("what hooks say of a result reaches the model", async () => {
  const { script, asked } = calling({ tool: "bash", input: { command: "echo secret" } })
  await using host = await hookedRuntime(script, {
    PreToolUse: [
      { hooks: [saying({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "Said before." } })] },
    ],
    PostToolUse: [
      {
        matcher: "Bash",
        hooks: [
          saying({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { stdout: "hidden" } } }),
          saying({ decision: "block", reason: "Run the tests." }),
        ],
      },
    ],
  })
  await host.prompt("Say it")
  const [result = ""] = (asked[1] && toolResults(asked[1])) ?? []
  expect(result).toMatch(/^hidden\n/)
  expect(result).toContain("says:\nSaid before.")
  expect(result).toContain("says:\nRun the tests.")
  expect(result).not.toContain("secret")
  const [call] = await callsOf(host)
  const by = "hook ~/.config/docket/docket.json"
  expect(call && readCallChanges(call).filter(({ what }) => what === "said")).toEqual([
    { what: "said", by, reason: "Said before." },
    { what: "said", by, reason: "Run the tests." },
  ])
})

test("the model is told when a hook changes what was written", async () => {
  const { script, asked } = calling(write)
  await using host = await hookedRuntime(script, {
    PostToolUse: [{ matcher: "Write", hooks: [run("echo two >> a.txt")] }],
  })
  await host.prompt("Write it")
  expect(readFileSync(path.join(host.directory, "a.txt"), "utf8")).toBe("one\ntwo\n")
  expect(asked[1] && toolResults(asked[1])[0]).toContain("Hooks changed a.txt. Read it again before you edit it.")
})

test("a failed call passes hooks, and what they say is added", async () => {
  const { script, asked } = calling({ tool: "read", input: { filePath: "none.txt" } })
  await using host = await hookedRuntime(script, {
    PostToolUse: [{ hooks: [keeping("after")] }],
    PostToolUseFailure: [{ hooks: [keeping("failed"), run("echo 'Look in src.' >&2; exit 2")] }],
  })
  await host.prompt("Read it")
  expect(host.said("after")).toEqual([])
  expect(host.said("failed")).toMatchObject([{ tool_name: "Read", error: expect.stringContaining("none.txt") }])
  expect(asked[1] && toolResults(asked[1])[0]).toContain("Look in src.")
})

test("a hook that says continue false ends the turn", async () => {
  const { script, asked } = calling(write)
  await using host = await hookedRuntime(script, {
    PostToolUse: [{ hooks: [saying({ continue: false, stopReason: "Enough." })] }],
  })
  expect(await host.prompt("Write it")).toMatchObject({ status: "completed" })
  expect(asked).toHaveLength(1)
})

test("a patch passes hooks of edits with each of its files", async () => {
  const patchText = "*** Begin Patch\n*** Add File: new.txt\n+one\n*** Update File: old.txt\n-a\n+b\n*** End Patch"
  const { script } = calling({ tool: "apply_patch", input: { patchText } })
  const guard = run("grep -q old.txt && { echo 'old.txt is closed' >&2; exit 2; } || exit 0")
  await using host = await hookedRuntime(
    script,
    { PreToolUse: [{ matcher: "Edit|Write", hooks: [keeping("seen"), guard] }] },
    { config: { agent: { build: { model: "scripted/gpt-5" } } } },
  )
  writeFileSync(path.join(host.directory, "old.txt"), "a\n")
  await host.prompt("Patch it")
  const seen = host.said("seen").map(({ tool_name, tool_input }) => ({ tool_name, tool_input }))
  expect(seen.sort((a, b) => String(a.tool_name).localeCompare(String(b.tool_name)))).toEqual([
    {
      tool_name: "Edit",
      tool_input: { file_path: path.join(host.directory, "old.txt"), old_string: "a", new_string: "b" },
    },
    { tool_name: "Write", tool_input: { file_path: path.join(host.directory, "new.txt"), content: "one\n" } },
  ])
  const [call] = await callsOf(host)
  expect(call?.state).toMatchObject({ status: "error", error: expect.stringContaining("old.txt is closed") })
})

test("conditions and matchers choose the calls of a hook", async () => {
  const { script } = calling(
    { tool: "bash", input: { command: "cd . && git status" } },
    { tool: "bash", input: { command: "echo hello" } },
    write,
  )
  await using host = await hookedRuntime(script, {
    PreToolUse: [
      { matcher: "Bash", hooks: [run('echo "$(cat)" >> %DIR%/git', { if: "Bash(git *)" })] },
      { matcher: "mcp__memory", hooks: [keeping("none")] },
      { matcher: "Notebook.*|^W", hooks: [keeping("writes")] },
    ],
  })
  await host.prompt("Do all")
  expect(host.said("git").map(({ tool_input }) => tool_input)).toEqual([{ command: "cd . && git status" }])
  expect(host.said("writes")).toHaveLength(1)
  expect(host.said("none")).toEqual([])
})

test("the strictest of several hooks decides, whatever their order", async () => {
  const decide = (permissionDecision: string) =>
    saying({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision } })
  const { script } = calling(write)
  await using host = await hookedRuntime(script, {
    PreToolUse: [{ hooks: [decide("allow"), decide("ask")] }, { hooks: [decide("deny"), decide("defer")] }],
  })
  await host.prompt("Write it")
  const [call] = await callsOf(host)
  expect(call?.state).toMatchObject({ status: "error", error: expect.stringMatching(/^Blocked by/) })
})

const allowing = saying({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } })

test("a hook allows what Docket would ask for", async () => {
  const { script } = calling({ tool: "read", input: { filePath: ".env" } })
  await using host = await hookedRuntime(
    script,
    { PreToolUse: [{ hooks: [allowing] }] },
    { config: { permission: {} } },
  )
  writeFileSync(path.join(host.directory, ".env"), "KEY=1\n")
  await host.prompt("Read it")
  const [call] = await callsOf(host)
  expect(call?.state.status).toBe("completed")
  expect(call && readCallChanges(call)).toMatchObject([{ what: "allowed" }])
})

test.each(["ask", "deny"] as const)("a hook allows nothing that a rule answers with %s", async (action) => {
  const { script } = calling(write)
  await using host = await hookedRuntime(
    script,
    { PreToolUse: [{ hooks: [allowing] }] },
    { config: { permission: { edit: action } } },
  )
  const ended = host.prompt("Write it")
  if (action === "ask") {
    const asked = await host.until((event) => event.type === "permission.asked")
    if (asked.type !== "permission.asked") throw new Error("nobody was asked")
    await host.runtime.permission.reply(asked.properties.request.id, "reject")
  }
  await ended
  const [call] = await callsOf(host)
  expect(call?.state.status).toBe("error")
})

test("a hook answers for a person, or denies with a reason", async () => {
  const answerFor = (decision: object) =>
    saying({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } })
  for (const [decision, state] of [
    [{ behavior: "allow" }, { status: "completed" }],
    [
      { behavior: "deny", message: "Not on Sundays." },
      { status: "error", error: expect.stringContaining("Not on Sundays.") },
    ],
  ] as const) {
    const { script } = calling(write)
    await using host = await hookedRuntime(
      script,
      { PermissionRequest: [{ matcher: "Write", hooks: [keeping("asked"), answerFor(decision)] }] },
      { config: { permission: { edit: "ask" } } },
    )
    await host.prompt("Write it")
    const [call] = await callsOf(host)
    expect(call?.state).toMatchObject(state)
    expect(host.said("asked")).toMatchObject([{ hook_event_name: "PermissionRequest", tool_name: "Write" }])
  }
})

test("todos that are added and completed pass hooks", async () => {
  const todos = [{ content: "Test it", status: "completed", priority: "high" }]
  const { script } = calling({ tool: "todowrite", input: { todos } })
  await using host = await hookedRuntime(script, {
    TaskCreated: [{ hooks: [keeping("created")] }],
    TaskCompleted: [{ hooks: [run("echo 'The tests fail.' >&2; exit 2")] }],
  })
  await host.prompt("Plan it")
  expect(host.said("created")).toMatchObject([{ hook_event_name: "TaskCreated", task_subject: "Test it" }])
  const [call] = await callsOf(host)
  expect(call?.state).toMatchObject({ status: "error", error: expect.stringContaining("The tests fail.") })
})
