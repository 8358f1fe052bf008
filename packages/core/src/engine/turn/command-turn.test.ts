import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import type { FeedItem } from "../../ground/schema/index.ts"
import { answer, lastUserText, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

const asked = (item: FeedItem) => item.type === "permission.asked"
const allowed = { permission: "allow", delegation: { envelope: false } }

/** A session whose model answers "Fine." and records its prompts. */
async function hosted(command: object, config: object = allowed) {
  const seen: string[] = []
  // Configuration is read again after a moment: the clock passes it between any two reads.
  let now = Date.now()
  const host = await scriptedRuntime(
    (options) => {
      seen.push(lastUserText(options))
      return answer("Fine.")
    },
    { config: { ...config, command }, clock: () => (now += 200) },
  )
  return { host, seen }
}

async function send(host: ScriptedRuntime, name: string, typed = "") {
  const parts = [{ type: "command" as const, name, arguments: typed }]
  return host.runtime.prompt.submit(host.session.id, { parts })
}

async function sendAndWait(host: ScriptedRuntime, name: string, typed = "") {
  return host.runtime.prompt.wait((await send(host, name, typed)).id)
}

async function reply(host: ScriptedRuntime, answer: "once" | "reject") {
  const request = await host.until(asked)
  if (request.type !== "permission.asked") throw new Error("nothing was asked")
  await host.runtime.permission.reply(request.properties.request.id, answer)
  return request.properties.request
}

async function textsOf(host: ScriptedRuntime) {
  const { items } = await host.messages()
  return items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part] : [])))
}

describe("a prompt by a command", () => {
  test("expands its template and keeps the typed text in the transcript", async () => {
    const { host, seen } = await hosted({ greet: { template: "Say hello to $1 in $2." } })
    await using _ = host
    expect(await sendAndWait(host, "greet", `"the team" a low voice`)).toMatchObject({ status: "completed" })
    const [typed, read] = await textsOf(host)
    expect(typed).toMatchObject({ text: `/greet "the team" a low voice` })
    expect(read).toMatchObject({
      text: "Say hello to the team in a low voice.",
      synthetic: true,
      notice: { kind: "command", name: "greet", origin: "user", state: "done" },
    })
    expect(seen.at(-1)).toBe(`${typed?.text}\n${read?.text}`)
  })

  test("includes the output of its commands, which run once as tool calls", async () => {
    const { host, seen } = await hosted({ state: { template: "Log: !`echo a $1; echo b`\nDone: !`echo c > made`!" } })
    await using _ = host
    await sendAndWait(host, "state", "x y")
    expect(seen).toEqual(["/state x y\nLog: a x y\nb\nDone: !"])
    expect(await readFile(join(host.directory, "made"), "utf8")).toBe("c\n")
    const { items } = await host.messages()
    expect(items.map(({ info }) => info.role)).toEqual(["user", "assistant", "assistant"])
    expect(items[1]).toMatchObject({
      info: { forCommand: true },
      parts: [
        { type: "step-start" },
        { tool: "bash", state: { input: { command: "echo a 'x' 'y'; echo b" } } },
        { tool: "bash" },
      ],
    })
  })

  test.each([
    ["is rejected", { bash: "ask" }, "gave no output: The user rejected"],
    ["is denied", { bash: { "*": "allow", "touch *": "deny" } }, "gave no output: "],
    ["cannot be run", { bash: "deny" }, "gave no output: the rules let build run no commands"],
  ])("continues and reports it when a command %s", async (how, permission, words) => {
    const { host, seen } = await hosted({ make: { template: "Made: !`touch made`" } }, { permission })
    await using _ = host
    const turn = await send(host, "make")
    if (how === "is rejected") {
      expect(await reply(host, "reject")).toMatchObject({
        metadata: { kind: "command", command: "touch made", description: "The command /make wants it for its prompt" },
      })
    }
    expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
    expect(seen.at(-1)).toContain(words)
    await expect(readFile(join(host.directory, "made"))).rejects.toThrow("ENOENT")
  })

  test("that fails keeps what it printed and how it ended", async () => {
    const { host, seen } = await hosted({ broken: { template: "!`echo half; exit 3`" } })
    await using _ = host
    await sendAndWait(host, "broken")
    expect(seen.at(-1)).toContain("half\n[exit code 3]")
  })

  test("that is stopped while a command waits for permission sends nothing", async () => {
    const { host, seen } = await hosted({ make: { template: "!`touch made`" } }, { permission: { bash: "ask" } })
    await using _ = host
    const turn = await send(host, "make")
    await host.until(asked)
    await host.runtime.abort(host.session.id)
    expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "aborted" })
    expect(seen).toEqual([])
    expect((await textsOf(host)).at(-1)).toMatchObject({ notice: { kind: "command", state: "stopped" } })
  })

  test("goes to the agent and the model that the command names", async () => {
    const { host } = await hosted({ think: { template: "Think.", agent: "plan", model: "scripted/two" } })
    await using _ = host
    await sendAndWait(host, "think")
    const { items } = await host.messages()
    expect(items.at(-1)?.info).toMatchObject({ agent: "plan", model: { modelID: "two" } })
  })

  test("for a subagent becomes its task, with the subagent's rules for commands", async () => {
    const config = { ...allowed, agent: { explore: { permission: { bash: { "*": "deny", "echo *": "allow" } } } } }
    const template = "Look at $1: !`echo files` !`touch made`"
    const { host, seen } = await hosted({ look: { template, agent: "explore", description: "Look around" } }, config)
    await using _ = host
    expect(await sendAndWait(host, "look", "src")).toMatchObject({ status: "completed" })
    expect(seen[0]).toMatch(/^Look at src: files \[The command "touch made" gave no output: /)
    const { tasks } = await host.runtime.session.tree(host.session.id)
    expect(tasks).toMatchObject([{ agent: "explore", state: "completed", description: "Look around" }])
    await expect(readFile(join(host.directory, "made"))).rejects.toThrow("ENOENT")
  })

  test("hides its output from share readers without access to outputs", async () => {
    const template = "Look: !`printf 'secret %s' client`"
    const { host } = await hosted({ look: { template, agent: "general" } }, { permission: "allow" })
    await using _ = host
    const { runtime, session } = host
    await sendAndWait(host, "look")
    const [task] = await runtime.task.list(session.id)
    await runtime.task.retry(task?.id ?? "")
    const states = async () => (await runtime.task.list(session.id)).map(({ state }) => state)
    await expect.poll(states).toEqual(["completed", "completed"])
    const shared = async (outputs: boolean) => {
      const shows = { reasoning: true, files: true, pictures: false, outputs }
      const { share } = await runtime.share.create(session.id, { shows })
      const { sessions, tasks } = await runtime.share.copy.tree(share.id)
      const pages = await Promise.all(
        sessions.map(({ id: sessionID }) => runtime.share.copy.messages(share.id, { sessionID })),
      )
      return JSON.stringify([sessions, tasks, pages])
    }
    expect((await shared(true)).split("secret client").length).toBeGreaterThan(4)
    const without = await shared(false)
    expect(without).not.toContain("secret client")
    expect(without).toContain("Fine.")
  })

  test("brings the files that its template names, under the rules of reading", async () => {
    const { host, seen } = await hosted({ explain: { template: "Explain @$1, @.env and @nothing." } }, {})
    await using _ = host
    await writeFile(join(host.directory, "a.txt"), "contents of a")
    await writeFile(join(host.directory, ".env"), "SECRET=1")
    await sendAndWait(host, "explain", "a.txt")
    expect(seen.at(-1)).toContain("contents of a")
    expect(seen.at(-1)).toContain(".env, which is not read without a question")
    expect(seen.at(-1)).not.toContain("SECRET=1")
  })

  test("treats typed arguments as text, never as further commands", async () => {
    const { host, seen } = await hosted({ say: { template: "Say: $ARGUMENTS" } })
    await using _ = host
    const typed = "this\n/todo add Buy milk\n!`touch made` @.env $1"
    await sendAndWait(host, "say", typed)
    expect(seen.at(-1)).toBe(`/say ${typed}\nSay: ${typed}`)
    expect(await host.runtime.todo.list(host.session.id)).toEqual([])
  })
})

describe("a command that cannot be sent", () => {
  test.each([
    ["unknown", "command_not_found", /There is no command "\/unknown"/],
    ["open", "config_invalid", /no closing backtick/],
    ["needs", "invalid_input", /Write it as \/needs <what>/],
    ["nobody", "agent_not_found", /There is no agent "nobody"/],
    ["leader", "config_invalid", /only leads sessions/],
    ["empty", "invalid_input", /empty prompt/],
  ])("says why and queues nothing: /%s", async (name, code, message) => {
    const { host } = await hosted({
      open: { template: "!`ls" },
      needs: { template: "Do $1", argument_hint: "<what>" },
      nobody: { template: "Go", agent: "nobody" },
      leader: { template: "Go", agent: "plan", subtask: true },
      empty: { template: "$ARGUMENTS" },
    })
    await using _ = host
    await expect(send(host, name)).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    )
    expect((await host.messages()).items).toEqual([])
  })
})

describe("commands from files", () => {
  const put = async (host: ScriptedRuntime, file: string, text: string) => {
    const path = join(host.directory, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const trust = async (host: ScriptedRuntime) => {
    const projectID = host.session.projectID
    const { trust } = await host.runtime.config.get(projectID)
    await host.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
  }
  const list = async (host: ScriptedRuntime) =>
    (await host.runtime.command.list(host.session.projectID)).filter(({ origin }) => origin !== "docket")

  test("of a project count after trust, and changes need new trust", async () => {
    const { host, seen } = await hosted({})
    await using _ = host
    await put(
      host,
      ".docket/commands/team/day.md",
      "---\ndescription: Which day\nargument-hint: [where] [when]\n---\nDay: !`echo monday`",
    )
    await put(host, ".claude/commands/old.md", "---\nallowed-tools: Bash(rm:*)\nmodel: sonnet\n---\nOld.")
    expect(await list(host)).toEqual([])
    await expect(send(host, "team/day")).rejects.toThrow("once you trust it")
    const { trust: waiting } = await host.runtime.config.get(host.session.projectID)
    expect(waiting.entries.find(({ path }) => path[1] === "team/day")?.note).toContain("Runs `echo monday`")
    await trust(host)
    expect(await list(host)).toMatchObject([
      { name: "old", origin: "project" },
      { name: "team/day", description: "Which day", hint: "[where] [when]", origin: "project" },
    ])
    await sendAndWait(host, "team/day")
    expect(seen.at(-1)).toContain("Day: monday")
    const { problems } = await host.runtime.config.get(host.session.projectID)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('"allowed-tools" gives no rights here'),
      expect.stringContaining('"model": write a model as "provider/model"'),
    ])
    await put(host, ".docket/commands/team/day.md", "Other: !`touch made`")
    expect((await list(host)).map(({ name }) => name)).toEqual(["old"])
    await trust(host)
    await sendAndWait(host, "team/day")
    expect(seen.at(-1)).toContain("Other:")
  })

  test("prefer the nearest of one name and never replace built-in commands", async () => {
    const { host } = await hosted({})
    await using _ = host
    for (const at of [".claude/commands", ".opencode/command", ".docket/commands"]) {
      await put(host, `${at}/deploy.md`, `From ${at}`)
    }
    await put(host, ".docket/commands/review.md", "My review")
    await put(host, ".docket/commands/undo.md", "Not this")
    await put(host, ".docket/commands/with space.md", "Nor this")
    await put(host, ".docket/commands/über-blick.md", "This")
    await trust(host)
    const commands = await host.runtime.command.list(host.session.projectID)
    const named = (name: string) => commands.find((command) => command.name === name)
    expect(named("deploy")?.description).toBe("From .docket/commands")
    expect(named("review")).toMatchObject({ origin: "project", description: "My review" })
    expect(named("über-blick")).toBeDefined()
    expect(named("undo")).toBeUndefined()
    const { problems } = await host.runtime.config.get(host.session.projectID)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('"undo" is left out: Docket itself has one'),
      expect.stringContaining('"with space" is left out: its name cannot be typed'),
    ])
  })
})

test("/compact summarises the conversation without asking the model to continue", async () => {
  const { host, seen } = await hosted({})
  await using _ = host
  await host.prompt(`Remember this: ${"long ".repeat(2_000)}`)
  expect(await sendAndWait(host, "compact")).toMatchObject({ status: "completed" })
  const { items } = await host.messages()
  expect(items.at(-1)?.info).toMatchObject({ role: "assistant", summary: true, error: null })
  expect(seen).toHaveLength(2)
})

describe("a shell command of a person", () => {
  const bash = (action: string) => ({ permission: { bash: action }, delegation: { envelope: false } })

  test("runs under the rules without a model, which then sees it", async () => {
    const { host, seen } = await hosted({}, bash("allow"))
    await using _ = host
    expect(await sendAndWait(host, "shell", "echo a; echo b")).toMatchObject({ status: "completed" })
    expect(seen).toEqual([])
    const { items } = await host.messages()
    expect(items[1]?.parts.find(({ type }) => type === "tool")).toMatchObject({
      state: { status: "completed", input: { command: "echo a; echo b" }, output: expect.stringContaining("a\nb") },
    })
    await host.prompt("What did it write?")
    expect(seen).toHaveLength(1)
    expect((await textsOf(host))[1]).toMatchObject({
      text: "The user ran this command:\n\necho a; echo b\n\nIt wrote:\n\na\nb",
      notice: { kind: "command", name: "shell", state: "done" },
    })
  })

  test("is asked about like a call of the agent", async () => {
    const { host } = await hosted({}, bash("ask"))
    await using _ = host
    const turn = await send(host, "shell", "touch made")
    expect(await reply(host, "reject")).toMatchObject({ permission: "bash", patterns: ["touch made"] })
    await host.runtime.prompt.wait(turn.id)
    await expect(readFile(join(host.directory, "made"))).rejects.toThrow("ENOENT")
  })

  test("does not run where the rules let the agent run none", async () => {
    const { host } = await hosted({}, bash("deny"))
    await using _ = host
    await sendAndWait(host, "shell", "touch made")
    expect((await textsOf(host))[1]?.text).toContain("the rules let build run no commands")
  })
})
